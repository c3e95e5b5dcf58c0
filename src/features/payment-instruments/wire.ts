import { answer, formatted, integer, object, optional, refused, text } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { INSTRUMENT_TYPES } from "./payment-instrument.ts";

/** The longest name that any country takes. */
const ACCOUNT_NAME = text({
  code: "V11821",
  max: 100,
  about: "As the bank holds it. Australia: at most 32 characters.",
});

/** Body of `POST /customers/{customerId}/paymentinstruments`. */
export const BankAccountBody = object(
  { code: "V11005" },
  {
    reference: optional(text({ code: "V10004", max: 64, about: "Default: the id." })),
    bankAccount: object(
      { code: "V11820" },
      {
        accountName: ACCOUNT_NAME,
        bsb: optional(
          formatted({
            code: "V11822",
            pattern: "^[0-9]{6}$",
            about: "Australia only; without it: New Zealand.",
          }),
        ),
        number: formatted({
          code: "V11823",
          pattern: "^([0-9]{6,9}|[0-9]{15,16}|[0-9]{2}-[0-9]{4}-[0-9]{7}-[0-9]{2,3})$",
          about: "Australia: 6 to 9 digits. New Zealand: 2-4-7-2 or 2-4-7-3 digits, with or without hyphens.",
        }),
      },
    ),
    card: optional(refused({ code: "V11830", about: "Never: cards are stored by a checkout." })),
  },
);

/** Body of `PUT /customers/{customerId}/paymentinstruments/{paymentInstrumentId}`: any subset that fits its type. */
export const InstrumentChangeBody = object(
  { code: "V11005" },
  {
    reference: optional(text({ code: "V10004", max: 64 })),
    bankAccount: optional(
      object({ code: "V11820", about: "For a bank account." }, { accountName: optional(ACCOUNT_NAME) }),
    ),
    card: optional(
      object(
        { code: "V11831", about: "For a card." },
        {
          name: optional(text({ code: "V10086", max: 100 })),
          expiryMonth: optional(integer({ code: "V10087", min: 1, max: 12 })),
          expiryYear: optional(integer({ code: "V10088", min: 2000, max: 2200 })),
        },
      ),
    ),
  },
);

export const PaymentInstrumentAnswer = answer.object({
  id: answer.id("pi"),
  customerId: answer.id("cus"),
  reference: answer.text(),
  type: answer.oneOf(...INSTRUMENT_TYPES),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  bankAccount: answer.optional(
    answer.object({
      accountName: answer.text(),
      bsb: answer.optional(answer.text("Australia only.")),
      number: answer.text("Masked to the last two digits."),
    }),
  ),
  card: answer.optional(
    answer.object({
      name: answer.text(),
      last4: answer.text(),
      expiryMonth: answer.integer(),
      expiryYear: answer.integer(),
      cardType: answer.text(),
      wallet: answer.optional(answer.oneOf("apple_pay", "google_pay")),
    }),
  ),
  metadata: answer.optional(answer.object({ bankName: answer.text("By the BSB or the bank number.") })),
  result: RESULT_OK,
});

export const DeletedAnswer = answer.object({ id: answer.id("pi"), result: RESULT_OK });
