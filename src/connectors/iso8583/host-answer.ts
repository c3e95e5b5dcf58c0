import { defined } from "../../kernel/defined.ts";
import { cents } from "../../kernel/money.ts";
import type { FinalAnswer } from "../ports/card-acquirer.ts";
import type { IsoMessage } from "./dialect.ts";
import type { Answered, HostAnswer, JournalEntry } from "./journal.ts";
import { readPrivateData } from "./private-data.ts";
import { adviceOfResponse, DUPLICATE, outcomeOfResponse } from "./response-codes.ts";

const PARTIAL = "10";
const DONE = "00";
/** Answers a reversal or a void. */
const REVERSAL_ANSWER = "0430";

/**
 * What the journal keeps of an answer. Undefined when it does not say what happened: without a response code, or as a
 * partial approval without an amount. A 0430 counts in any case, because no other may follow: one without a response code
 * has an empty one, which confirms nothing.
 */
export function readAnswer({ type, fields }: IsoMessage): HostAnswer | undefined {
  const responseCode = fields[39]?.trim() ?? "";
  const isClear = responseCode === PARTIAL ? fields[4] !== undefined : responseCode !== "";
  if (!isClear && type !== REVERSAL_ANSWER) return undefined;
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
export function finalAnswer({ sends, answer }: Answered, amount: number): FinalAnswer {
  const outcome = outcomeOf({ sends, answer });
  const facts = defined({
    authorisationCode: answer.authorisationCode ?? undefined,
    retrievalReference: answer.retrieval ?? undefined,
    networkTransactionId: answer.networkTransactionId ?? undefined,
    responseCode: answer.responseCode || undefined,
    securityCodeResult: answer.securityCodeResult ?? undefined,
  });
  if (outcome.kind === "declined")
    return { ...outcome, facts, ...defined({ advice: adviceOfResponse(answer.responseCode, outcome.code) }) };
  const { approvedAmount } = answer;
  if (approvedAmount === null || approvedAmount >= amount) return { ...outcome, facts };
  return { ...outcome, approvedAmount, facts };
}

export function isApproved({ sends, answer }: Pick<JournalEntry, "sends" | "answer">): boolean {
  return answer !== null && outcomeOf({ sends, answer }).kind === "approved";
}

/** A host that calls a repeat a duplicate has done what the earlier copy asked for. Of a first copy it is a refusal. */
function outcomeOf({ sends, answer: { responseCode } }: Answered) {
  return outcomeOfResponse(responseCode === DUPLICATE && sends > 1 ? DONE : responseCode);
}

function textOf(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  return text === "" ? null : text;
}
