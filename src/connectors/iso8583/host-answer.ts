import { defined } from "../../kernel/defined.ts";
import { cents } from "../../kernel/money.ts";
import type { FinalAnswer } from "../ports/card-acquirer.ts";
import type { IsoMessage } from "./dialect.ts";
import type { HostAnswer } from "./journal.ts";
import { readPrivateData } from "./private-data.ts";
import { adviceOfResponse, outcomeOfResponse } from "./response-codes.ts";

const PARTIAL = "10";

/**
 * What the journal keeps of an answer. Undefined when it does not say what happened: without a response code, or as a
 * partial approval without an amount.
 */
export function readAnswer({ fields }: IsoMessage): HostAnswer | undefined {
  const responseCode = fields[39]?.trim();
  if (responseCode === undefined || responseCode === "") return undefined;
  if (responseCode === PARTIAL && fields[4] === undefined) return undefined;
  const tags = readPrivateData(fields[48]);
  return {
    responseCode,
    authorisationCode: textOf(fields[38]),
    retrieval: textOf(fields[37]),
    approvedAmount: responseCode === PARTIAL && fields[4] !== undefined ? cents(Number(fields[4])) : null,
    networkTransactionId: textOf(tags.get("NT")),
    securityCodeResult: textOf(tags.get("CR")),
  };
}

/** The gateway's form of an answer. `amount` is what was asked for. */
export function finalAnswer(answer: HostAnswer, amount: number): FinalAnswer {
  const outcome = outcomeOfResponse(answer.responseCode);
  const facts = defined({
    authorisationCode: answer.authorisationCode ?? undefined,
    retrievalReference: answer.retrieval ?? undefined,
    networkTransactionId: answer.networkTransactionId ?? undefined,
    responseCode: answer.responseCode,
    securityCodeResult: answer.securityCodeResult ?? undefined,
  });
  if (outcome.kind === "declined")
    return { ...outcome, facts, ...defined({ advice: adviceOfResponse(answer.responseCode, outcome.code) }) };
  const { approvedAmount } = answer;
  if (approvedAmount === null || approvedAmount >= amount) return { ...outcome, facts };
  return { ...outcome, approvedAmount, facts };
}

export function isApproved({ responseCode }: HostAnswer): boolean {
  return outcomeOfResponse(responseCode).kind === "approved";
}

function textOf(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  return text === "" ? null : text;
}
