import {
  answer,
  flag,
  formatted,
  object,
  oneOf,
  optional,
  plainText,
  text,
} from "../../platform/http/schema.ts";

/** The customer of a payment request: whose cards are offered, and who gets a card that the payer stores. */
export const CustomerRequestBody = object(
  {
    code: "payment_request_customer_request_invalid",
    about: "Stores the payer's card for later, offers the customer's saved cards, or prefills the form.",
  },
  {
    paymentInstrument: optional(
      oneOf({
        code: "payment_request_customer_paymentinstrument_invalid",
        among: ["create"],
        about:
          "Stores the payer's card as a payment instrument of a new customer, or of `id`, when the payment is approved and the payer agrees: by a box if `frequency` is `single`, by paying if it is `recurring` or with an agreement. Left out, nothing is stored.",
      }),
    ),
    name: optional(
      text({
        code: "payment_request_customer_name_invalid",
        max: 100,
        about:
          "Prefills the name on the card, and becomes the new customer's name; left out, that is the card's. A card without any name is stored as `VALUED CARDHOLDER`.",
      }),
    ),
    email: optional(
      formatted({
        code: "payment_request_customer_email_invalid",
        max: 254,
        format: "email",
        free: true,
        about: "The new customer's address, and where a receipt is sent if the gateway sends any.",
      }),
    ),
    id: optional(
      plainText({
        code: "payment_request_customer_id_invalid",
        max: 64,
        about:
          "An existing customer, whose saved cards the checkout offers; not beside `name` or `email`. A card that the payer agrees to store becomes this customer's.",
      }),
    ),
    allowRemoval: optional(
      flag({
        code: "payment_request_customer_allow_removal_invalid",
        about: "Lets the payer remove saved cards in the checkout; only with `id`. Default `false`.",
      }),
    ),
  },
);

export const CustomerRequestAnswer = answer.object({
  paymentInstrument: answer.optional(answer.oneOf("create")),
  name: answer.optional(answer.text()),
  email: answer.optional(answer.text("Masked.")),
  id: answer.optional(answer.text()),
  allowRemoval: answer.optional(answer.flag()),
});
