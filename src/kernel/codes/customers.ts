import type { Code } from "./code.ts";

/** Customers. Their `reference` uses the code of every reference. */
export const CUSTOMER_CODES = {
  customer_name_invalid: { id: "V11800", status: 400, meaning: "Send a name of 1 to 100 characters." },
  customer_email_invalid: {
    id: "V11801",
    status: 400,
    meaning: "Send an e-mail address of at most 254 characters.",
  },
} as const satisfies Record<string, Code>;
