import { decline } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { type Cents, cents, sum } from "../../kernel/money.ts";
import { later } from "../../kernel/time.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardNumber,
  OperationRequest,
} from "../ports/card-acquirer.ts";
import { type Account, reverseOnceMore } from "./account.ts";
import { finalAnswer, isApproved } from "./host-answer.ts";
import type { HostAnswer, JournalEntry } from "./journal.ts";
import { buildRequest, type RequestInput, type RequestKind } from "./messages.ts";
import type { PrivateData } from "./private-data.ts";
import { claimRequest, findEntry, listAbout } from "./queries.ts";
import { isAnswer, send } from "./send.ts";
import type { Iso8583Settings } from "./settings.ts";
import { TraceNumbersUsedUp } from "./trace-numbers.ts";

const UNKNOWN = { kind: "unknown" } as const;
/** Another process waits for the host's answer. */
const AWAITED = { kind: "accepted" } as const;

/** For the journal and for trace numbers, beside the times of the host. */
const OWN_TIME_MS = 2_000;

/** How long a request takes at most: until the first byte leaves, and then until the answer. */
export function answersWithin({ responseSeconds }: Pick<Iso8583Settings, "responseSeconds">): number {
  return 2 * responseSeconds * 1_000 + OWN_TIME_MS;
}

/** Asks the host to authorise a payment: 0100, or 0200 when the money is taken at once. */
export async function authorise(
  account: Account,
  kind: Exclude<RequestKind, "refund">,
  request: AuthorisationRequest,
  signal: AbortSignal,
): Promise<AcquirerAnswer> {
  const { reference, amount, surcharge, currency, origin, card } = request;
  const input = { kind, amount, surcharge, currency, origin, card, privateData: privateDataOf(request) };
  return sendRequest(account, { reference, original: null, input }, signal);
}

function privateDataOf({
  card,
  authentication,
  storedCredential,
  initiator,
}: AuthorisationRequest): PrivateData {
  return defined({
    CV: card.securityCode,
    EC: authentication?.eci ?? card.eci,
    CA: authentication?.cavv ?? card.cryptogram,
    DS: authentication?.dsTransactionId,
    NT: storedCredential?.networkTransactionId,
    SC: initiator === "merchant" ? "M" : "C",
  } as const);
}

/** A refund is a payment of its own to the host; the journal says which payment it returns. */
export async function refund(
  account: Account,
  { reference, payment, amount }: OperationRequest,
  signal: AbortSignal,
): Promise<AcquirerAnswer> {
  const { db, owner } = account;
  const known = await findEntry(db, owner, "request", reference);
  if (known !== undefined && known.sends > 0) return answerOnRecord(account, known);
  const { card, currency, origin } = payment;
  if (card === undefined) return decline("no_card_record");
  if (!(await isStanding(account, payment.reference))) return decline("invalid_transaction");
  const input = {
    kind: "refund",
    amount,
    surcharge: cents(0),
    currency,
    origin,
    card,
    privateData: {},
  } as const;
  return sendRequest(account, { reference, original: payment.reference, input }, signal);
}

type Sending = {
  readonly reference: string;
  readonly original: string | null;
  readonly input: RequestInput & { readonly card: CardNumber };
};

async function sendRequest(
  account: Account,
  { reference, original, input }: Sending,
  signal: AbortSignal,
): Promise<AcquirerAnswer> {
  const { db, owner, terminal, settings, now } = account;
  // Past this moment the gateway may have given up and reversed: then nothing may leave any more.
  const sendBy = performance.now() + settings.responseSeconds * 1_000;
  const trace = await account.nextTrace().catch(unlessUsedUp);
  if (trace instanceof TraceNumbersUsedUp) return notSent(account, reference, trace.message);
  const message = buildRequest(terminal, trace, input);
  const amount = sum([input.amount, input.surcharge]);
  const { currency } = input;
  const { type, fields } = message;
  const entry = {
    kind: "request",
    reference,
    original,
    type,
    code: fields[3] ?? "",
    trace,
    amount,
    currency,
  } as const;
  const claimed = await claimRequest(db, owner, entry, now());
  if (claimed === undefined) {
    const known = await findEntry(db, owner, "request", reference);
    return known === undefined ? UNKNOWN : answerOnRecord(account, known);
  }
  const outcome = await send(account, claimed, message, { sendBy, signal });
  if (!isAnswer(outcome)) return outcome;
  return unlessReversed(account, claimed, outcome.answer);
}

function unlessUsedUp(error: unknown): TraceNumbersUsedUp {
  if (error instanceof TraceNumbersUsedUp) return error;
  throw error;
}

/** Nothing was sent now, and another account may take the payment, unless it was sent before. */
async function notSent(account: Account, reference: string, reason: string): Promise<AcquirerAnswer> {
  const known = await findEntry(account.db, account.owner, "request", reference);
  if (known !== undefined && (known.sends > 0 || known.isCancelled)) return answerOnRecord(account, known);
  return { kind: "not_received", reason };
}

/** The answer to a request that was sent before. Without an answer in time only a reversal settles it. */
async function answerOnRecord(account: Account, entry: JournalEntry): Promise<AcquirerAnswer> {
  if (entry.isCancelled) return decline("downstream_error");
  if (entry.answer !== null) return unlessReversed(account, entry, entry.answer);
  return (await isAwaited(account, entry)) ? AWAITED : UNKNOWN;
}

/**
 * Whether the answer to a refund is still in time: another process may be waiting for it, and nothing may reverse the refund
 * until that is over. A payment's recovery begins only after that time.
 */
async function isAwaited(
  { db, owner, settings, now }: Account,
  { original, reference, sentAt }: JournalEntry,
): Promise<boolean> {
  if (original === null || now() >= later(sentAt, answersWithin(settings))) return false;
  return (await findEntry(db, owner, "reversal", reference)) === undefined;
}

/**
 * A reversal that has begun may have reached the host: from then on an approval does not count any more. A refund that the
 * host made in part goes back anyway, and its answer says why.
 */
async function unlessReversed(
  account: Account,
  entry: JournalEntry,
  answer: HostAnswer,
): Promise<AcquirerAnswer> {
  const isPartOfRefund = entry.original !== null && approvedOf({ ...entry, answer }) < entry.amount;
  if (
    isApproved({ ...entry, answer }) &&
    !isPartOfRefund &&
    (await findEntry(account.db, account.owner, "reversal", entry.reference)) !== undefined
  ) {
    // Another process sent it, perhaps before the request came to the host.
    await account.db.transaction((tx) => reverseOnceMore(account, tx, entry, answer));
    return UNKNOWN;
  }
  return finalAnswer({ ...entry, answer }, entry.amount);
}

/** Whether the host approved the payment and it was not reversed. */
export async function isStanding(account: Account, reference: string): Promise<boolean> {
  const { db, owner } = account;
  const entry = await findEntry(db, owner, "request", reference);
  if (entry === undefined || !isApproved(entry)) return false;
  const later = await listAbout(db, owner, reference);
  return !later.some((one) => one.kind === "reversal" || (one.kind === "void" && isApproved(one)));
}

/** What the host approved of a request or a completion. */
export function approvedOf({ amount, answer }: JournalEntry): Cents {
  return answer?.approvedAmount ?? amount;
}
