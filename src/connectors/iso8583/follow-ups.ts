import { approve, decline } from "../../kernel/codes/outcomes.ts";
import type { Cents } from "../../kernel/money.ts";
import type {
  AcquirerAnswer,
  CaptureRequest,
  OperationRequest,
  ReversalRequest,
} from "../ports/card-acquirer.ts";
import type { Account } from "./account.ts";
import { finalAnswer, isApproved } from "./host-answer.ts";
import type { Answered, JournalEntry, MessageKind, NewEntry } from "./journal.ts";
import { buildCompletion, buildReversal, type FollowUpInput } from "./messages.ts";
import { cancelRequest, claimRepeat, findEntry, listAbout, lockRequest } from "./queries.ts";
import { approvedOf, isStanding } from "./requests.ts";
import { isAnswer, send } from "./send.ts";
import type { Trace } from "./trace.ts";

/** Repeats come at most 25 seconds apart, so a repeat waits no longer than this for its answer. */
const LONGEST_WAIT_OF_REPEAT = 20_000;
/** The host has undone what it had done. */
const UNDONE = "00";

/** Advises the host that an authorisation is captured: 0220, and 0221 until it answers. */
export async function capture(
  account: Account,
  { reference, payment, amount }: CaptureRequest,
  signal: AbortSignal,
): Promise<AcquirerAnswer> {
  const known = await findEntry(account.db, account.owner, "completion", reference);
  if (known?.answer) return finalAnswer({ ...known, answer: known.answer }, amount);
  const original = await findEntry(account.db, account.owner, "request", payment.reference);
  if (original === undefined || !(await isStanding(account, payment.reference))) {
    return decline("invalid_transaction");
  }
  if (amount > approvedOf(original)) return decline("invalid_amount");
  const number = payment.card?.number;
  const kind = "completion";
  const outcome = await followUp(account, { kind, known, reference, original, amount, number, signal });
  return isAnswer(outcome) ? finalAnswer(outcome, amount) : outcome;
}

/** Releases the hold of an approved authorisation: a reversal that the host may refuse. */
export async function voidAuthorisation(
  account: Account,
  { reference, payment }: OperationRequest,
  signal: AbortSignal,
): Promise<AcquirerAnswer> {
  const known = await findEntry(account.db, account.owner, "void", reference);
  if (known?.answer) return finalAnswer({ ...known, answer: known.answer }, known.amount);
  const original = await findEntry(account.db, account.owner, "request", payment.reference);
  if (original === undefined) return decline("invalid_transaction");
  const { amount } = original;
  const number = payment.card?.number;
  const kind = "void";
  const outcome = await followUp(account, { kind, known, reference, original, amount, number, signal });
  return isAnswer(outcome) ? finalAnswer(outcome, amount) : outcome;
}

/**
 * Undoes a request whose outcome is not known: 0420, and 0421 until any 0430 comes. Nothing is sent where the journal shows
 * that there is nothing to undo; a request that was not sent yet is cancelled, so that it never will be.
 */
export async function reverse(
  account: Account,
  { reference, payment, endsWithAnyAnswer }: ReversalRequest,
  signal: AbortSignal,
): Promise<AcquirerAnswer> {
  const { db, owner, now } = account;
  const original = await findEntry(db, owner, "request", reference);
  if (original === undefined || original.sends === 0) {
    if (await cancelRequest(db, owner, tombstone(reference, payment.currency), now())) {
      return approve("approved");
    }
    return { kind: "unknown" };
  }
  if (original.answer !== null && !isApproved(original)) return approve("approved");
  const about = await listAbout(db, owner, reference);
  if (about.some((one) => one.kind === "completion" && isApproved(one)))
    return decline("invalid_transaction");
  const known = about.find(({ kind }) => kind === "reversal");
  const code = known?.answer?.responseCode;
  if (code === UNDONE || (endsWithAnyAnswer === true && code !== undefined)) return approve("approved");
  const { amount } = original;
  const number = payment.card?.number;
  const kind = "reversal";
  const outcome = await followUp(account, { kind, known, reference, original, amount, number, signal });
  return isAnswer(outcome) ? approve("approved") : outcome;
}

/** No message has it. */
const NO_TRACE: Trace = {
  stan: "000000",
  transmitted: "0000000000",
  localTime: "000000",
  localDate: "0000",
  retrieval: "000000000000",
};

/** Takes the place of a request that must not be sent any more. */
function tombstone(reference: string, currency: JournalEntry["currency"]) {
  const none = { type: "0000", code: "000000", trace: NO_TRACE, amount: 0 as Cents };
  return { kind: "request", reference, original: null, currency, ...none } as const;
}

type FollowUp = {
  readonly kind: Exclude<MessageKind, "request">;
  /** On record from an earlier call. */
  readonly known: JournalEntry | undefined;
  readonly reference: string;
  readonly original: JournalEntry;
  readonly amount: Cents;
  /** Undefined when the vault does not keep it any more; the host still finds the original by field 90. */
  readonly number: string | undefined;
  readonly signal: AbortSignal;
};

/** Sends a follow-up, or repeats it with the same trace. */
async function followUp(
  account: Account,
  { kind, known, reference, original, amount, number, signal }: FollowUp,
): Promise<Answered | AcquirerAnswer> {
  const { db, owner, terminal, settings, now } = account;
  const responseMs = settings.responseSeconds * 1_000;
  const sendBy = performance.now() + responseMs;
  // A host that is away for long must not use up the day's numbers: nothing leaves over a link that is down, and a repeat
  // has its number.
  const reason = await account.link().then((link) => link.open(), String);
  if (reason !== undefined) return { kind: "not_received", reason };
  const own = known !== undefined && known.sends > 0 ? known.trace : await account.nextTrace();
  const { currency, code } = original;
  const type = kind === "completion" ? "0220" : "0420";
  const trace = { ...own, retrieval: original.trace.retrieval };
  const entry = { kind, reference, original: original.reference, type, code, trace, amount, currency };
  const claimed =
    kind === "reversal" && original.original !== null
      ? await claimReversalOfRefund(account, entry)
      : await claimRepeat(db, owner, entry, now());
  if (claimed === undefined) return { kind: "unknown" };
  const isRepeat = claimed.sends > 1;
  const input: FollowUpInput = {
    original,
    amount,
    number,
    authorisation: original.answer?.authorisationCode ?? null,
    isRepeat,
  };
  const message = (kind === "completion" ? buildCompletion : buildReversal)(terminal, claimed.trace, input);
  const withinMs = isRepeat ? Math.min(responseMs, LONGEST_WAIT_OF_REPEAT) : responseMs;
  return send(account, claimed, message, { sendBy, withinMs, signal });
}

/**
 * Undefined if the host has approved the refund by now: then the approval counts, which its process may have reported. The
 * lock decides which comes first; that process looks for a reversal once it has recorded the answer.
 */
async function claimReversalOfRefund(
  { db, owner, now }: Account,
  entry: NewEntry,
): Promise<JournalEntry | undefined> {
  return db.transaction(async (tx) => {
    const refund = await lockRequest(tx, owner, entry.reference);
    const isMade = refund !== undefined && isApproved(refund) && approvedOf(refund) >= refund.amount;
    if (isMade && (await findEntry(tx, owner, "reversal", entry.reference)) === undefined) return undefined;
    return claimRepeat(tx, owner, entry, now());
  });
}

/** The pause before the gateway repeats a follow-up, so that repeats are at most 25 seconds apart. */
export function pauseBeforeRepeat(responseSeconds: number): number {
  return 23_500 - Math.min(responseSeconds * 1_000, LONGEST_WAIT_OF_REPEAT);
}
