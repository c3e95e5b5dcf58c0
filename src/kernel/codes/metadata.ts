import { type Code, invalid } from "./code.ts";

/** The merchant's own pairs on a resource, and the filter by one of them. */
export const METADATA_CODES = {
  metadata_object_invalid: invalid("V12300", "Send `metadata` as an object of at most 20 pairs."),
  metadata_key_invalid: invalid(
    "V12301",
    "Use keys of 1 to 40 characters of `A-Z`, `a-z`, `0-9`, `_`, `.`, `-`, other than `__proto__`, `constructor` and `prototype`.",
  ),
  metadata_value_invalid: invalid(
    "V12302",
    "Send a text of at most 500 characters without control characters.",
  ),
  metadata_bank_name_read_only: invalid(
    "V12303",
    "Leave `bankName` out: the gateway sets it from the account number.",
  ),
  query_metadata_invalid: invalid("V12310", "Send one pair to search for, as `metadata[key]=value`."),
} as const satisfies Record<string, Code>;
