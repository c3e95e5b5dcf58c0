import { CATALOGUE, type CodeName } from "./catalogue.ts";
import { OUTCOME_DETAILS, operationDetail } from "./outcome-details.ts";
import { OUTCOMES, type OutcomeName } from "./outcomes.ts";

/** A code as every `result.codes` shows it. */
export type PresentedCode = {
  readonly id: string;
  readonly message: string;
  /** One sentence that says what to do. */
  readonly detail: string;
  /** The code on the docs page of codes. */
  readonly docs: string;
};

export const CODES_PAGE = "/docs/codes";

export function presentCode(message: CodeName, baseUrl: string): PresentedCode {
  const { id, meaning } = CATALOGUE[message];
  return { id, message, detail: meaning, docs: docsOf(id, baseUrl) };
}

/** An operation is a refund, a capture or a void. */
export type OutcomeOf = "payment" | "operation";

export function presentOutcomeCode(
  message: OutcomeName,
  baseUrl: string,
  of: OutcomeOf = "payment",
): PresentedCode {
  const id = OUTCOMES[message];
  const detail = of === "payment" ? OUTCOME_DETAILS[message] : operationDetail(message);
  return { id, message, detail, docs: docsOf(id, baseUrl) };
}

function docsOf(id: string, baseUrl: string): string {
  return `${baseUrl}${CODES_PAGE}#${id}`;
}
