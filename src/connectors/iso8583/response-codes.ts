import type { RetryAdvice } from "../../kernel/acquirer-facts.ts";
import {
  answerWith,
  type BankAnswer,
  type DeclineName,
  findOutcome,
  OWN_OUTCOMES,
} from "../../kernel/codes/outcomes.ts";
import { retryAdviceOf } from "../../kernel/codes/retry-advice.ts";

type Answer = Exclude<BankAnswer, { kind: "unknown" }>;

/** Codes of the catalogue that stand for a response code of ISO 8583, by its last two digits. */
const SERIES = { approval: "A020", decline: "D044" } as const;

/** A duplicate transmission: the host did nothing for this copy. The catalogue has no code for it. */
export const DUPLICATE = "94";

/**
 * The outcome of a response code (field 39), one to one: `05` is D04405. A code that the catalogue does not know is a
 * decline without a reason, and so is one whose number stands for an outcome of the gateway's own (17, a cancellation by the
 * customer, is no failure of 3D Secure). The raw code stays with the answer.
 */
export function outcomeOfResponse(code: string): Answer {
  if (code === DUPLICATE) return answerWith("invalid_transaction");
  const known = findOutcome(`${SERIES.approval}${code}`) ?? findOutcome(`${SERIES.decline}${code}`);
  return answerWith(known === undefined || OWN_OUTCOMES.includes(known) ? "do_not_honour" : known);
}

/** Visa's code for a payment that its issuer would take with 3D Secure. The catalogue has none for it. */
const AUTHENTICATE_FIRST = "1A";

export function adviceOfResponse(responseCode: string, code: DeclineName): RetryAdvice | undefined {
  return responseCode === AUTHENTICATE_FIRST ? "with_authentication" : retryAdviceOf(code);
}
