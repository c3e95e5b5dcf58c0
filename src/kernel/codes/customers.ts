import type { Code } from "./code.ts";

/** Customers. Their `reference` has the code that every reference has. */
export const CUSTOMER_CODES = {
  V11800: { message: "customer_name_invalid", status: 400, meaning: "A name of 1 to 100 characters." },
  V11801: {
    message: "customer_email_invalid",
    status: 400,
    meaning: "An e-mail address of at most 254 characters.",
  },
} as const satisfies Record<string, Code>;
