import { WALLETS } from "../../kernel/wallets.ts";
import { metadataWithOurs } from "../../platform/http/metadata.ts";
import {
  answer,
  formatted,
  integer,
  object,
  optional,
  refused,
  text,
  visibleText,
} from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { INSTRUMENT_TYPES } from "./payment-instrument.ts";

/** The longest name that any country accepts. */
const ACCOUNT_NAME = text({
  code: "payment_instrument_account_name_invalid",
  max: 100,
  about: "As the bank has it on file. Australia: at most 32 characters.",
});

const METADATA = metadataWithOurs("A bank account's `bankName` may stand beside them, unchanged.");

/** Body of `POST /customers/{customerId}/paymentinstruments`. */
export const BankAccountBody = object(
  { code: "body_object_invalid" },
  {
    reference: optional(text({ code: "body_reference_invalid", max: 64, about: "Default: the id." })),
    metadata: METADATA,
    bankAccount: object(
      { code: "payment_instrument_bank_account_invalid", about: "The account to debit." },
      {
        accountName: ACCOUNT_NAME,
        bsb: optional(
          formatted({
            code: "payment_instrument_bsb_invalid",
            pattern: "^[0-9]{6}$",
            about: "Australia only; without it: New Zealand.",
          }),
        ),
        number: formatted({
          code: "payment_instrument_account_number_invalid",
          pattern: "^([0-9]{6,9}|[0-9]{15,16}|[0-9]{2}-[0-9]{4}-[0-9]{7}-[0-9]{2,3})$",
          about: "Australia: 6 to 9 digits. New Zealand: 2-4-7-2 or 2-4-7-3 digits, with or without hyphens.",
        }),
      },
    ),
    card: optional(
      refused({ code: "payment_instrument_card_refused", about: "Never: a checkout stores cards." }),
    ),
  },
);

/** Body of `PUT /customers/{customerId}/paymentinstruments/{paymentInstrumentId}`: any subset that fits its type. */
export const InstrumentChangeBody = object(
  { code: "body_object_invalid" },
  {
    reference: optional(text({ code: "body_reference_invalid", max: 64, about: "Your own name for it." })),
    metadata: METADATA,
    bankAccount: optional(
      object(
        { code: "payment_instrument_bank_account_invalid", about: "For a bank account." },
        { accountName: optional(ACCOUNT_NAME) },
      ),
    ),
    card: optional(
      object(
        { code: "payment_instrument_card_invalid", about: "For a card." },
        {
          name: optional(
            visibleText({ code: "card_name_invalid", about: "The name on the card.", max: 100 }),
          ),
          expiryMonth: optional(
            integer({ code: "card_expiry_month_invalid", about: "Month of the expiry.", min: 1, max: 12 }),
          ),
          expiryYear: optional(
            integer({
              code: "card_expiry_year_invalid",
              about: "Year of the expiry, four digits.",
              min: 2000,
              max: 2200,
            }),
          ),
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
      wallet: answer.optional(answer.oneOf(...WALLETS)),
    }),
  ),
  metadata: answer.optional(
    answer.pairs(
      "The merchant's own pairs and, of a bank account, `bankName` by the BSB or the bank number. It is read-only.",
    ),
  ),
  result: RESULT_OK,
});

export const DeletedAnswer = answer.object({ id: answer.id("pi"), result: RESULT_OK });
