import type { FinalAnswer } from "../../connectors/ports/card-acquirer.ts";
import { decline } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import type { Id } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { finishKeysOf } from "../../platform/idempotency/queries.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { PaymentKind } from "../../platform/metrics/payment-metrics.ts";
import { lockClock, type Merchant } from "../merchants/index.ts";
import { storeCard } from "../payment-instruments/index.ts";
import {
  attemptsLeft,
  completeWith,
  expireLocked,
  isOverdue,
  lockPaymentRequest,
  type PaymentRequest,
  recordFailedAttempt,
  requestChange,
  updatePaymentRequest,
} from "../payment-requests/index.ts";
import { receiptOf } from "../receipts/index.ts";
import { reopenToken } from "../tokens/index.ts";
import {
  authorisationEnd,
  declineOfReversed,
  disputeJobOf,
  EXPIRE_AUTHORISATION_JOB,
  eraseCardLater,
  eraseTransactionCard,
  type FollowUp,
  finishOperation,
  isAuthenticating,
  isKnownReversed,
  isVerification,
  lockTransaction,
  type Operation,
  recordLateApproval,
  refusePart,
  reverseAtAcquirer,
  settle,
  type Transaction,
  totalOf,
  transactionChange,
  updateTransaction,
  withAcquirerReference,
  withAuthentication,
  withInstrument,
} from "../transactions/index.ts";
import { recoverSoon } from "./attempt-deadlines.ts";
import { authenticationFlow } from "./authenticate-payer.ts";
import type { RecordedAuthentication } from "./authentication.ts";
import { eraseNumber } from "./keep-number.ts";

/**
 * After the call: records the outcome, its effect on the payment request, and one event per change, in one transaction. The
 * first to get here wins (the payer's request, a recovery job, another node); later ones change nothing.
 */
export async function finishAttempt(
  ctx: Context,
  merchant: Merchant,
  attempt: Pick<Transaction, "id" | "paymentRequestId">,
  outcome: {
    readonly answer: FinalAnswer;
    readonly isRecovery: boolean;
    /** Under the row's lock: the answer is not about the attempt as it is by then. */
    readonly unless?: (locked: Transaction) => boolean;
  },
): Promise<Transaction> {
  const { answer, isRecovery, unless } = outcome;
  const done = await writeOutcome(ctx, merchant, attempt, { answer, ...defined({ unless }) });
  if (done.isSettled && isRecovery) ctx.metrics.recovered(kindOf(merchant, done.transaction), answer.kind);
  // The acquirer approved an attempt that had already been declined: the money goes back, and a job repeats the reversal
  // until the acquirer confirms it.
  if (done.reversal !== undefined) await finishOperation(ctx, merchant, done.reversal);
  if (done.isSettled || answer.kind !== "approved" || done.transaction.status !== "pending")
    return done.transaction;
  // The attempt is being abandoned, its request has ended, or only a part was approved. While the reversal is not certain the attempt stays pending,
  // and the recovery job repeats it.
  const reversed = await reverseAtAcquirer(ctx, merchant, done.transaction);
  if (reversed.kind !== "approved") return done.transaction;
  const declined = declineOfReversed(done.transaction);
  return finishAttempt(ctx, merchant, attempt, { answer: declined, isRecovery });
}

/**
 * Ends an attempt before the acquirer is called; does nothing to one that has reached the acquirer since. With `only`, it
 * does nothing either to one that has entered another phase since, which has its own deadline.
 */
export async function endUnauthenticated(
  ctx: Context,
  merchant: Merchant,
  attempt: Pick<Transaction, "id" | "paymentRequestId" | "phase">,
  { only, ...authentication }: RecordedAuthentication & { readonly only?: Transaction["phase"] },
): Promise<Pick<WrittenOutcome, "transaction" | "isSettled">> {
  const answer = decline("3d_secure_error");
  const outcome = { answer, authentication, ...defined({ only }) };
  const written = await writeOutcome(ctx, merchant, attempt, outcome);
  if (written.isSettled)
    ctx.metrics.authenticated(merchant.mode, authenticationFlow(attempt), authentication.status);
  return written;
}

type WrittenOutcome = {
  readonly transaction: Transaction;
  /** False: the attempt had ended, is in another phase, is being reversed, or only a part was approved. */
  readonly isSettled: boolean;
  /** Of an approval that arrived after the attempt was declined. */
  readonly reversal?: Operation;
};

async function writeOutcome(
  ctx: Context,
  merchant: Merchant,
  attempt: Pick<Transaction, "id" | "paymentRequestId">,
  outcome: {
    readonly answer: FinalAnswer;
    readonly authentication?: RecordedAuthentication;
    readonly only?: Transaction["phase"];
    readonly unless?: (held: Transaction) => boolean;
  },
): Promise<WrittenOutcome> {
  const { answer, authentication, only, unless } = outcome;
  const done = await ctx.db.transaction(async (tx): Promise<WrittenOutcome> => {
    // Always the request's lock before the transaction's, so that two writers cannot deadlock.
    const request =
      attempt.paymentRequestId === null
        ? undefined
        : await lockPaymentRequest(tx, merchant.id, attempt.paymentRequestId);
    const transaction = await lockTransaction(tx, merchant.id, attempt.id);
    if (transaction === undefined) throw new Error("transaction not found");
    // A verification that is approved late holds nothing.
    if (transaction.status === "declined" && answer.kind === "approved" && !isVerification(transaction)) {
      if (isKnownReversed(transaction, answer)) return { transaction, isSettled: false };
      const noted = await noteReference(tx, transaction, answer);
      const late = { transaction: noted, amount: answer.approvedAmount ?? totalOf(noted) };
      const reversal = await recordLateApproval(ctx, tx, merchant, late);
      return { transaction: noted, isSettled: false, ...defined({ reversal }) };
    }
    if (transaction.status !== "pending") return { transaction, isSettled: false };
    if (authentication !== undefined && !isAuthenticating(transaction))
      return { transaction, isSettled: false };
    if (only !== undefined && transaction.phase !== only) return { transaction, isSettled: false };
    if (unless?.(transaction)) return { transaction, isSettled: false };
    const ended = request !== undefined && request.status !== "created";
    if (answer.kind === "approved" && (ended || transaction.phase === "reversing")) {
      return { transaction: await noteReference(tx, transaction, answer), isSettled: false };
    }
    const refused = refusePart(transaction, answer);
    if (refused !== undefined) {
      await updateTransaction(tx, refused);
      // One that waited for a notification may have no job that repeats the reversal soon.
      if (transaction.phase === "waiting") await recoverSoon(ctx, tx, refused);
      return { transaction: refused, isSettled: false };
    }
    const now = clockOf(ctx, merchant);
    const answered = settle(
      authentication === undefined ? transaction : withAuthentication(transaction, authentication),
      answer,
      now,
      merchant,
    );
    const after = await withStoredCard(ctx, tx, merchant, { request, transaction: answered });
    await updateTransaction(tx, after, transactionChange(merchant.mode, after, ctx.settings));
    // Nothing follows a decline or a verification.
    if (after.status === "declined" || isVerification(after)) {
      // A reversal may have to be sent again.
      const erase = transaction.phase === "reversing" ? eraseCardLater : eraseTransactionCard;
      await erase(ctx, tx, after);
    }
    const timed = hasMovableExpiry(merchant, after) ? await lockClock(tx, merchant) : merchant;
    const followUps = followUpsOf(ctx, timed, { request, transaction: after });
    for (const { job, due } of followUps) await insertJob(tx, job, due);
    if (request !== undefined) await updateRequest(ctx, tx, merchant, { request, transaction: after });
    // A charge: payers send no idempotency keys.
    else await finishKeysOf(tx, merchant.id, after.id);
    return { transaction: after, isSettled: true };
  });
  if (done.isSettled) ctx.metrics.ended(kindOf(merchant, done.transaction), answer.kind);
  return done;
}

/** The reversal that follows may need the acquirer's own id of the payment. */
async function noteReference(tx: Tx, transaction: Transaction, { facts }: FinalAnswer): Promise<Transaction> {
  const noted = withAcquirerReference(transaction, facts);
  if (noted !== transaction) await updateTransaction(tx, noted);
  return noted;
}

export function kindOf({ mode }: Merchant, { source }: Transaction): PaymentKind {
  return { mode, source };
}

/** An approval creates the instrument that the merchant requested; a decline erases the card. */
async function withStoredCard(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  {
    request,
    transaction,
  }: { readonly request: PaymentRequest | undefined; readonly transaction: Transaction },
): Promise<Transaction> {
  const { card, storesInstrumentId: id } = transaction;
  if (id === null || card === null || request === undefined) return transaction;
  if (transaction.status === "declined") {
    await eraseNumber(ctx, tx, transaction);
    return transaction;
  }
  const { id: known, name, email } = request.details.customerRequest ?? {};
  // The merchant's name for the customer takes precedence over the card's.
  const made = { name: name ?? card.name, email: email ?? null };
  const owner = known === undefined ? made : (known as Id<"customer">);
  const networkTransactionId = transaction.acquirer?.networkTransactionId ?? null;
  const stored = await storeCard(ctx, tx, merchant, { owner, id, card, networkTransactionId });
  return withInstrument(transaction, stored);
}

async function updateRequest(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { request, transaction }: { readonly request: PaymentRequest; readonly transaction: Transaction },
): Promise<void> {
  if (request.status !== "created") return;
  const now = clockOf(ctx, merchant);
  const after =
    transaction.status === "approved"
      ? completeWith(request, { ...transaction, ...(storesCard(transaction) ? {} : NONE_STORED) }, now)
      : recordFailedAttempt(request, transaction.id, now);
  await updatePaymentRequest(tx, after, requestChange(ctx, merchant.mode, after));
  // Its expiry passed during the payment, and the job that waits for it may be a minute away.
  if (isOverdue(after, now)) await expireLocked(ctx, tx, merchant, after);
  else if (after.flow === "checkout" && attemptsLeft(after) > 0) await reopenToken(tx, transaction, after.id);
}

const NONE_STORED = { customerId: null, paymentInstrumentId: null } as const;

/** Not so with a saved card, which the transaction names as well. */
function storesCard({ storesInstrumentId }: Transaction): boolean {
  return storesInstrumentId !== null;
}

/** What follows an approval, at its own time. */
export function followUpsOf(
  ctx: Context,
  merchant: Merchant,
  {
    request,
    transaction,
  }: { readonly request: PaymentRequest | undefined; readonly transaction: Transaction },
): readonly FollowUp[] {
  return [
    transaction.captureStatus === "uncaptured" ? expiryOf(merchant, transaction) : undefined,
    disputeJobOf(ctx, merchant, transaction),
    request && receiptOf(ctx, { request, transaction }),
  ].filter((followUp) => followUp !== undefined);
}

/** A sandbox merchant may have moved its clock during the call: the expiry then needs the clock as it is now. */
export function hasMovableExpiry({ mode }: Merchant, { captureStatus }: Transaction): boolean {
  return mode === "sandbox" && captureStatus === "uncaptured";
}

function expiryOf(merchant: Merchant, authorisation: Transaction): FollowUp {
  const job = { kind: EXPIRE_AUTHORISATION_JOB, merchantId: merchant.id, subjectId: authorisation.id };
  return { job, due: instant(authorisationEnd(authorisation) - merchant.clockOffset) };
}
