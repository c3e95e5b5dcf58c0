import { type Code, invalid } from "./code.ts";

/** Payment instruments: bank accounts that merchants store, and what can be changed of stored cards. */
export const PAYMENT_INSTRUMENT_CODES = {
  payment_instrument_bank_account_invalid: invalid(
    "V11820",
    "Send `bankAccount` as an object with `accountName`, `number` and, in Australia, `bsb`.",
  ),
  payment_instrument_account_name_invalid: invalid(
    "V11821",
    "Send the name that the bank has on file: 1 to 32 characters in Australia, 1 to 100 in New Zealand.",
  ),
  payment_instrument_bsb_invalid: invalid(
    "V11822",
    "Send `bsb` as six digits for an Australian account; omit it for one in New Zealand.",
  ),
  payment_instrument_account_number_invalid: invalid(
    "V11823",
    "Send `number` as 6 to 9 digits for Australia (with `bsb`), or as bank 2, branch 4, body 7 and suffix 2 or 3 digits for New Zealand (without), with all hyphens or none.",
  ),
  payment_instrument_card_refused: {
    id: "V11830",
    status: 400,
    meaning:
      "Store a card through a checkout with `customerRequest.paymentInstrument` `create`; card data never goes through this API.",
  },
  payment_instrument_card_invalid: invalid(
    "V11831",
    "Send `card` as an object with any of `name`, `expiryMonth`, `expiryYear`.",
  ),
  payment_instrument_type_mismatch: {
    id: "V11832",
    status: 400,
    meaning:
      "Send `card` to change a card and `bankAccount` to change a bank account; this instrument is of the other type.",
  },
} as const satisfies Record<string, Code>;
