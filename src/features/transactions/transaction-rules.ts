import type { AcquirerFacts, RetryAdvice } from "../../kernel/acquirer-facts.ts";
import type { AuthenticationStatus } from "../../kernel/authentication-status.ts";
import { approve, decline, type OutcomeName } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { type Fees, feeOf } from "../../kernel/fees.ts";
import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { type Cents, cents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import { changeTime, DAY, type Instant, later } from "../../kernel/time.ts";
import {
  type AuthenticationFacts,
  type CaptureStatus,
  type CaptureTrigger,
  captureLifecycle,
  lifecycle,
  newTransaction,
  type PhaseTrigger,
  phaseLifecycle,
  type Transaction,
  type TransactionFacts,
} from "./transaction.ts";

const AUTHORISATION_LIFE = 7 * DAY;

/** When an uncaptured authorisation expires. */
export function authorisationEnd({ createdAt }: Pick<Transaction, "createdAt">): Instant {
  return later(createdAt, AUTHORISATION_LIFE);
}

export function totalOf(transaction: Pick<Transaction, "amount" | "surcharge">): Cents {
  return cents(transaction.amount + transaction.surcharge);
}

/** The most that can be captured: what the acquirer approved. */
export function authorisedOf(
  transaction: Pick<Transaction, "amount" | "surcharge" | "approvedAmount">,
): Cents {
  return transaction.approvedAmount ?? totalOf(transaction);
}

/** The acquirer has not been called yet. */
export function isAuthenticating({ phase }: Pick<Transaction, "phase">): boolean {
  return phase === "authenticating" || phase === "profiling" || phase === "challenged";
}

/** It checks a card and moves no money: there is nothing to capture, refund or reverse. */
export function isVerification({ method }: Pick<Transaction, "method">): boolean {
  return method === "verification";
}

/** An approved authorisation that can still be captured or voided. */
export function isOpenAuthorisation(transaction: Transaction): boolean {
  return transaction.status === "approved" && transaction.captureStatus === "uncaptured";
}

export function isCaptured(transaction: Transaction): boolean {
  return transaction.status === "approved" && transaction.captureStatus === "captured";
}

/** The transaction in its next phase; undefined when its phase does not allow the trigger. */
export function advance(transaction: Transaction, trigger: PhaseTrigger): Transaction | undefined {
  const phase = nextState(phaseLifecycle, transaction.phase, trigger);
  return phase && { ...transaction, phase };
}

/** The transaction with the moment of a change that its merchant can see. */
export function withChangeTime(transaction: Transaction, now: Instant): Transaction {
  return { ...transaction, updatedAt: changeTime(now, transaction.updatedAt) };
}

/** The transaction at another acquirer account, before that one is called. */
export function withAccount(
  transaction: Transaction,
  {
    accountId,
    connector,
  }: { readonly accountId: Transaction["acquirerAccountId"]; readonly connector: string },
): Transaction {
  return { ...transaction, acquirerAccountId: accountId, acquirer: { connector } };
}

/** The transaction with the result of 3D Secure. */
export function withAuthentication(
  transaction: Transaction,
  { status, facts }: { readonly status: AuthenticationStatus; readonly facts: AuthenticationFacts | null },
): Transaction {
  return { ...transaction, authentication: status, authenticationFacts: facts };
}

/** The approved transaction with the payment instrument that it created. */
export function withInstrument(
  transaction: Transaction,
  { customerId, id }: { readonly customerId: Id<"customer">; readonly id: Id<"paymentInstrument"> },
): Transaction {
  return { ...transaction, customerId, paymentInstrumentId: id };
}

/** The transaction with the merchant's own reference of its capture. */
export function withCaptureReference(transaction: Transaction, captureReference: string | null): Transaction {
  return { ...transaction, captureReference };
}

type Answer = {
  readonly kind: "approved" | "declined";
  readonly code: OutcomeName;
  readonly approvedAmount?: Cents;
  readonly facts?: AcquirerFacts;
  readonly advice?: RetryAdvice;
};

/** The transaction with what the acquirer said about it. */
export function withFacts(transaction: Transaction, facts: AcquirerFacts | undefined): Transaction {
  const { acquirer } = transaction;
  return acquirer === null || facts === undefined
    ? transaction
    : { ...transaction, acquirer: { ...acquirer, ...facts } };
}

/**
 * Keeps the acquirer's own ids of a payment that goes back: some hosts reverse a captured one only by that, and one that is
 * reversed may be notified as approved after it. The ids are in no answer of the API, so no event is published.
 */
export function withAcquirerReference(
  transaction: Transaction,
  facts: AcquirerFacts | undefined,
): Transaction {
  const { acquirerReference, reversedReference } = facts ?? {};
  if (acquirerReference === undefined && reversedReference === undefined) return transaction;
  return withFacts(transaction, defined({ acquirerReference, reversedReference }));
}

/** Whether the acquirer has the payment, under an id of its own, and has not confirmed the reversal of that one. */
export function isUnreversed({ acquirer }: Pick<Transaction, "acquirer">): boolean {
  const { acquirerReference, reversedReference } = acquirer ?? {};
  return acquirerReference !== undefined && acquirerReference !== reversedReference;
}

/**
 * Whether the acquirer repeats an approval that is known and reversed: it named the payment before, in another notification,
 * and has confirmed the reversal. One that names the payment for the first time is late.
 */
export function isKnownReversed(
  { acquirer }: Pick<Transaction, "acquirer">,
  { facts }: Pick<Answer, "facts">,
): boolean {
  const { acquirerReference, reversedReference } = acquirer ?? {};
  return (
    acquirerReference !== undefined &&
    acquirerReference === facts?.acquirerReference &&
    acquirerReference === reversedReference
  );
}

/** What the acquirer approved of the total, where that is less. */
function partOf(transaction: Transaction, { approvedAmount }: Answer): Cents | null {
  return approvedAmount === undefined || approvedAmount >= totalOf(transaction) ? null : approvedAmount;
}

/**
 * The transaction that goes back because the acquirer approved only a part, which the merchant does not take; undefined
 * when the answer can be settled. It is declined once the acquirer has confirmed the reversal.
 */
export function refusePart(transaction: Transaction, answer: Answer): Transaction | undefined {
  const approvedAmount = answer.kind === "approved" ? partOf(transaction, answer) : null;
  if (approvedAmount === null || (transaction.acceptsPartial && approvedAmount > 0)) return undefined;
  const reversing = advance(transaction, "reverse");
  return reversing && withFacts({ ...reversing, approvedAmount }, answer.facts);
}

/** The decline of a transaction that was reversed before it was settled. */
export function declineOfReversed({ approvedAmount }: Transaction) {
  return decline(approvedAmount === null ? "downstream_error" : "partial_approval_refused");
}

/** The transaction with the bank's answer. An automatic capture captures all that was approved at once. */
export function settle(
  transaction: Transaction,
  answer: Answer,
  now: Instant,
  { fees }: { readonly fees: Fees },
): Transaction {
  return withChangeTime(applyAnswer(transaction, answer, fees), now);
}

/** A transaction for money that has already arrived: approved and captured from the start. */
export function newApprovedTransaction(facts: TransactionFacts, fees: Fees): Transaction {
  return applyAnswer(newTransaction(facts), approve("approved"), fees);
}

function applyAnswer(transaction: Transaction, answer: Answer, fees: Fees): Transaction {
  const { kind, code, facts, advice } = answer;
  const status = nextState(lifecycle, transaction.status, kind === "approved" ? "approve" : "decline");
  const said = advice === undefined ? facts : { ...facts, retryAdvice: advice };
  const answered = advance(withFacts(transaction, said), "settle");
  if (status === undefined || answered === undefined) throw new Error("a transaction is settled only once");
  if (status !== "approved" || isVerification(answered)) return { ...answered, status, code };
  const approvedAmount = partOf(answered, answer);
  const approved: Transaction = { ...answered, status, code, approvedAmount, captureStatus: "uncaptured" };
  return approved.captureType === "auto" ? capture(approved, authorisedOf(approved), fees) : approved;
}

/** The transaction with that amount captured, and the fee of the merchant's current rates. */
export function capture(transaction: Transaction, amount: Cents, fees: Fees): Transaction {
  const captureStatus = nextCaptureStatus(transaction, "capture");
  return { ...transaction, captureStatus, captured: amount, fee: feeOf(fees, transaction.source, amount) };
}

/** The authorisation after its hold was released: voided by the merchant, or expired. */
export function release(transaction: Transaction, trigger: "void" | "expire"): Transaction {
  return { ...transaction, captureStatus: nextCaptureStatus(transaction, trigger) };
}

function nextCaptureStatus({ captureStatus }: Transaction, trigger: CaptureTrigger): CaptureStatus {
  const next = captureStatus === null ? undefined : nextState(captureLifecycle, captureStatus, trigger);
  if (next === undefined) throw new Error("only an open authorisation is captured or released");
  return next;
}

/**
 * A debit that the payer's bank returned. The captured amount stays on record: earlier refunds were limited by it, and
 * have left the merchant's account as well.
 */
export function markReturned(transaction: Transaction, now: Instant): Transaction {
  const status = nextState(lifecycle, transaction.status, "return");
  if (status === undefined || transaction.source !== "direct_debit") {
    throw new Error("only an approved debit is returned");
  }
  return withChangeTime({ ...transaction, status, code: "returned", captureStatus: null }, now);
}

/** What refunds can still take. A pending refund and a dispute hold their amounts. */
export function refundable({ captured, refundsHeld, disputed }: Transaction): Cents {
  return cents(captured - refundsHeld - disputed);
}

/** Holds the amount of a dispute, so that no refund returns what the payer's bank has taken back. */
export function holdDispute(transaction: Transaction, amount: Cents): Transaction {
  return { ...transaction, disputed: cents(transaction.disputed + amount) };
}

/** The transaction after a dispute about it was won. */
export function releaseDispute(transaction: Transaction, amount: Cents): Transaction {
  return { ...transaction, disputed: cents(transaction.disputed - amount) };
}

/** Holds the amount of a new refund, so that concurrent refunds cannot return more than was captured. */
export function holdRefund(transaction: Transaction, amount: Cents): Transaction {
  if (amount < 1 || amount > refundable(transaction)) refuse("refund_amount_conflict", "/payment/amount");
  return { ...transaction, refundsHeld: cents(transaction.refundsHeld + amount) };
}

/** The transaction after a held refund got its answer. A declined one releases its amount. */
export function settleHeldRefund(
  transaction: Transaction,
  amount: Cents,
  outcome: "approved" | "declined",
): Transaction {
  return outcome === "approved"
    ? { ...transaction, refunded: cents(transaction.refunded + amount) }
    : { ...transaction, refundsHeld: cents(transaction.refundsHeld - amount) };
}
