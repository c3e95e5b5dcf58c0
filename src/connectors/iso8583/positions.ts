import { cents, sum } from "../../kernel/money.ts";
import type { JournalPosition } from "../ports/card-acquirer.ts";
import type { Account } from "./account.ts";
import { isApproved } from "./host-answer.ts";
import type { JournalEntry } from "./journal.ts";
import { listFollowUps, listRequests } from "./queries.ts";
import { approvedOf } from "./requests.ts";

const NOTHING = cents(0);
/** A purchase or refund takes its money at once; an authorisation waits for completions. */
const TAKES_AT_ONCE = "0200";

export async function listPositions(
  { db, owner }: Account,
  after: string,
  limit: number,
): Promise<readonly JournalPosition[]> {
  const requests = await listRequests(db, owner, after, limit);
  const references = requests.map(({ reference }) => reference);
  const byOriginal = Map.groupBy(await listFollowUps(db, owner, references), ({ original }) => original);
  return requests.map((request) => positionOf(request, byOriginal.get(request.reference) ?? []));
}

/** What stands at the host after a request and its follow-ups. */
function positionOf(request: JournalEntry, followUps: readonly JournalEntry[]): JournalPosition {
  const { reference, type, answer } = request;
  const approved = (kind: JournalEntry["kind"]) =>
    followUps.filter((one) => one.kind === kind && isApproved(one));
  // Any answer confirms a reversal; a void may be refused.
  const isReversed =
    followUps.some((one) => one.kind === "reversal" && one.answer !== null) || approved("void").length > 0;
  const isUnanswered = request.sends > 0 && answer === null && !isReversed;
  const isOpen = isUnanswered || followUps.some((one) => one.sends > 0 && one.answer === null);
  if (!isApproved(request) || isReversed) {
    return { reference, approved: NOTHING, captured: NOTHING, isOpen };
  }
  const standing = approvedOf(request);
  const completed = sum(approved("completion").map(approvedOf));
  return { reference, approved: standing, captured: type === TAKES_AT_ONCE ? standing : completed, isOpen };
}
