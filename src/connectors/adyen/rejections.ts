import type { DeclineName } from "../../kernel/codes/outcomes.ts";

/** Errors of Adyen's API that are about the card or the payment. */
const BY_ERROR: Readonly<Record<string, DeclineName>> = {
  "010": "no_merchant",
  "101": "invalid_card_number",
  "102": "no_issuer",
  "129": "expired_card",
  "137": "invalid_amount",
  "138": "invalid_transaction",
  "140": "expired_card",
  "141": "expired_card",
  "901": "no_merchant",
  "905": "function_not_permitted_to_terminal",
  "905_1": "unable_to_route_transaction",
};

const BY_STATUS: Readonly<Record<number, DeclineName>> = {
  401: "no_merchant",
  403: "no_merchant",
  404: "unable_to_route_transaction",
  429: "suspected_malfunction",
};

/** Adyen knows a call with this key: it was processed, or still is. */
export const IN_PROGRESS = "704";

/** The outcome of a call that Adyen received and did not process. */
export function rejectionOf(status: number, errorCode: string | undefined): DeclineName {
  if (errorCode !== undefined && Object.hasOwn(BY_ERROR, errorCode)) return BY_ERROR[errorCode] ?? "error";
  return BY_STATUS[status] ?? "format_error";
}
