import type { Code } from "./code.ts";

/** Customers. Their `reference` has the code that every reference has. */
export const CUSTOMER_CODES = {
  customer_name_invalid: { id: "V11800", status: 400, meaning: "A name of 1 to 100 characters." },
  customer_email_invalid: {
    id: "V11801",
    status: 400,
    meaning: "An e-mail address of at most 254 characters.",
  },
} as const satisfies Record<string, Code>;
