import { answer, formatted, object, oneOf } from "../../platform/http/schema.ts";

/** `payment.instrument.payId` of a payment request. */
export const PayIdBody = object(
  {
    code: "payment_request_payid_invalid",
    about: "Makes this a PayID request: the payer transfers the amount to the PayID in the answer.",
  },
  {
    type: oneOf({
      code: "payment_request_payid_type_invalid",
      about: "One PayID for one payment.",
      among: ["single"],
    }),
    value: formatted({
      code: "payment_request_payid_value_invalid",
      max: 64,
      pattern: "^[A-Za-z0-9._-]{1,64}$",
      free: true,
      about: "Unique among all open payment requests. Capitals are stored in lower case.",
    }),
  },
);

export const PayIdAnswer = answer.object({
  type: answer.oneOf("single"),
  email: answer.text("The PayID that the payer transfers the amount to."),
  url: answer.optional(
    answer.text("A page that shows the payer the PayID, the amount and whether the transfer has arrived."),
  ),
  token: answer.optional(
    answer.text(
      "Shows the same on your own page: `SVC.PayID.show({ token, containerId })`. It pays nothing.",
    ),
  ),
});
