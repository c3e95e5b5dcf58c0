import type { Code } from "./code.ts";

const invalid = (place: string, meaning: string) =>
  ({ message: `payment_instrument_${place}_invalid`, status: 400, meaning }) as const;

/** Payment instruments: bank accounts that merchants store, and what can be changed of stored cards. */
export const PAYMENT_INSTRUMENT_CODES = {
  V11820: invalid(
    "bank_account",
    "`bankAccount` is an object with `accountName`, `number` and, in Australia, `bsb`.",
  ),
  V11821: invalid(
    "account_name",
    "The name that the bank holds: 1 to 32 characters in Australia, 1 to 100 in New Zealand.",
  ),
  V11822: invalid("bsb", "Six digits, for an Australian account; left out for one in New Zealand."),
  V11823: invalid(
    "account_number",
    "Australia (with `bsb`): 6 to 9 digits. New Zealand (without): bank 2, branch 4, body 7, suffix 2 or 3 digits, with all hyphens or none.",
  ),
  V11830: {
    message: "payment_instrument_card_refused",
    status: 400,
    meaning:
      "Card data never goes through this API. A card is stored by a checkout with `customerRequest.paymentInstrument` `create`.",
  },
  V11831: invalid("card", "`card` is an object with any of `name`, `expiryMonth`, `expiryYear`."),
  V11832: {
    message: "payment_instrument_type_mismatch",
    status: 400,
    meaning:
      "A card is changed by `card`, a bank account by `bankAccount`; this instrument is of the other type.",
  },
} as const satisfies Record<string, Code>;
