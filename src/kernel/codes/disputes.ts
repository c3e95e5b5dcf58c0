import { type Code, invalid } from "./code.ts";

export const DISPUTE_CODES = {
  dispute_text_invalid: invalid(
    "V12070",
    "Send 1 to 5,000 characters as `text`, without control characters other than line breaks.",
  ),
  dispute_state_conflict: {
    id: "V12071",
    status: 409,
    meaning:
      "Send evidence for, or accept, a dispute whose status is `needs_response`, before its evidence is due.",
  },
} as const satisfies Record<string, Code>;
