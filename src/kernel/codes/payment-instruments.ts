import { type Code, invalid } from "./code.ts";

/** Payment instruments: bank accounts that merchants store, and what can be changed of stored cards. */
export const PAYMENT_INSTRUMENT_CODES = {
  payment_instrument_bank_account_invalid: invalid(
    "V11820",
    "`bankAccount` is an object with `accountName`, `number` and, in Australia, `bsb`.",
  ),
  payment_instrument_account_name_invalid: invalid(
    "V11821",
    "The name that the bank holds: 1 to 32 characters in Australia, 1 to 100 in New Zealand.",
  ),
  payment_instrument_bsb_invalid: invalid(
    "V11822",
    "Six digits, for an Australian account; left out for one in New Zealand.",
  ),
  payment_instrument_account_number_invalid: invalid(
    "V11823",
    "Australia (with `bsb`): 6 to 9 digits. New Zealand (without): bank 2, branch 4, body 7, suffix 2 or 3 digits, with all hyphens or none.",
  ),
  payment_instrument_card_refused: {
    id: "V11830",
    status: 400,
    meaning:
      "Card data never goes through this API. A card is stored by a checkout with `customerRequest.paymentInstrument` `create`.",
  },
  payment_instrument_card_invalid: invalid(
    "V11831",
    "`card` is an object with any of `name`, `expiryMonth`, `expiryYear`.",
  ),
  payment_instrument_type_mismatch: {
    id: "V11832",
    status: 400,
    meaning:
      "A card is changed by `card`, a bank account by `bankAccount`; this instrument is of the other type.",
  },
} as const satisfies Record<string, Code>;
