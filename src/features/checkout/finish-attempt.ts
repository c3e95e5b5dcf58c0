import type { AcquirerAnswer } from "../../connectors/ports/card-acquirer.ts";
import { decline } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { PaymentKind } from "../../platform/metrics/payment-metrics.ts";
import type { Merchant } from "../merchants/index.ts";
import { storeCard } from "../payment-instruments/index.ts";
import {
  lockPaymentRequest,
  type PaymentRequest,
  paid,
  recordFailedAttempt,
  requestChange,
  updatePaymentRequest,
} from "../payment-requests/index.ts";
import {
  type AuthenticationStatus,
  authorisationEnd,
  EXPIRE_AUTHORISATION_JOB,
  isAuthenticating,
  lockTransaction,
  reverseAtAcquirer,
  settle,
  type Transaction,
  transactionChange,
  updateTransaction,
} from "../transactions/index.ts";
import { flowOf } from "./authenticate-payer.ts";
import { forgetNumber } from "./keep-number.ts";

export type KnownAnswer = Exclude<AcquirerAnswer, { kind: "unknown" }>;

/**
 * After the call: writes the outcome, what it means for the payment request, and one event per change, in one
 * transaction. Whoever comes second (the caller, a recovery job, another node) finds it done and changes nothing.
 */
export async function finishAttempt(
  ctx: Context,
  merchant: Merchant,
  attempt: Pick<Transaction, "id" | "paymentRequestId">,
  answer: KnownAnswer,
  /** The answer is to a later question: nobody had one to the call. */
  recovering = false,
): Promise<Transaction> {
  const done = await writeOutcome(ctx, merchant, attempt, answer);
  if (!done.late && recovering) ctx.metrics.recovered(kindOf(merchant, done.transaction), answer.kind);
  if (!done.late || answer.kind !== "approved" || done.transaction.status === "approved")
    return done.transaction;
  // The money was taken for something that had ended already: it goes back. When that is not sure, the attempt stays
  // pending, and the recovery comes here again.
  const reversed = await reverseAtAcquirer(ctx, merchant, attempt.id);
  if (!reversed || done.transaction.status === "declined") return done.transaction;
  return finishAttempt(ctx, merchant, attempt, decline("downstream_error"), recovering);
}

/** Ends an attempt before the acquirer was called; does nothing to one that has gone on to the acquirer meanwhile. */
export async function endUnauthenticated(
  ctx: Context,
  merchant: Merchant,
  attempt: Pick<Transaction, "id" | "paymentRequestId" | "phase">,
  authentication: Exclude<AuthenticationStatus, "authenticated">,
): Promise<Transaction> {
  const answer = decline("3d_secure_error");
  const { transaction, late } = await writeOutcome(ctx, merchant, attempt, answer, authentication);
  if (!late) ctx.metrics.authenticated(merchant.mode, flowOf(attempt), authentication);
  return transaction;
}

async function writeOutcome(
  ctx: Context,
  merchant: Merchant,
  attempt: Pick<Transaction, "id" | "paymentRequestId">,
  answer: KnownAnswer,
  authentication?: AuthenticationStatus,
): Promise<{ readonly transaction: Transaction; readonly late: boolean }> {
  const done = await ctx.db.transaction(async (tx) => {
    // Always the request before the transaction, so that no two of us wait for each other.
    const request =
      attempt.paymentRequestId === null
        ? undefined
        : await lockPaymentRequest(tx, merchant.id, attempt.paymentRequestId);
    const transaction = await lockTransaction(tx, merchant.id, attempt.id);
    if (transaction === undefined) throw new Error("an attempt is gone");
    if (transaction.status !== "pending") return { transaction, late: true };
    if (authentication !== undefined && !isAuthenticating(transaction)) return { transaction, late: true };
    const ended = request !== undefined && request.status !== "created";
    if (answer.kind === "approved" && (ended || transaction.phase === "reversing")) {
      return { transaction, late: true };
    }
    const now = clockOf(ctx, merchant);
    const answered = settle(
      { ...transaction, authentication: authentication ?? transaction.authentication },
      answer,
      now,
      merchant,
    );
    const after = await withStoredCard(ctx, tx, merchant, request, answered);
    await updateTransaction(tx, after, transactionChange(merchant.mode, after));
    if (after.captureStatus === "uncaptured") await scheduleExpiry(tx, merchant, after);
    if (request !== undefined) await tellRequest(ctx, tx, merchant, request, after);
    return { transaction: after, late: false };
  });
  if (!done.late) ctx.metrics.ended(kindOf(merchant, done.transaction), answer.kind);
  return done;
}

function kindOf({ mode }: Merchant, { source }: Transaction): PaymentKind {
  return { mode, source };
}

/** An approval makes the instrument that the merchant asked for; a decline leaves nothing of the card. */
async function withStoredCard(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  request: PaymentRequest | undefined,
  settledOne: Transaction,
): Promise<Transaction> {
  const { card, storesInstrumentId: id } = settledOne;
  if (id === null || card === null || request === undefined) return settledOne;
  if (settledOne.status === "declined") {
    await forgetNumber(tx, ctx, settledOne);
    return settledOne;
  }
  const { id: known, email } = request.details.customerRequest ?? {};
  const owner = known === undefined ? { name: card.name, email: email ?? null } : (known as Id<"customer">);
  const stored = await storeCard(tx, ctx, merchant, owner, { id, card });
  return { ...settledOne, customerId: stored.customerId, paymentInstrumentId: stored.id };
}

async function tellRequest(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  request: PaymentRequest,
  transaction: Transaction,
): Promise<void> {
  if (request.status !== "created") return;
  const now = clockOf(ctx, merchant);
  const after =
    transaction.status === "approved"
      ? paid(request, transaction, now)
      : recordFailedAttempt(request, transaction.id, now);
  await updatePaymentRequest(tx, after, requestChange(ctx, merchant.mode, after));
}

async function scheduleExpiry(tx: Tx, merchant: Merchant, authorisation: Transaction): Promise<void> {
  const job = { kind: EXPIRE_AUTHORISATION_JOB, merchantId: merchant.id, subjectId: authorisation.id };
  await insertJob(tx, job, instant(authorisationEnd(authorisation) - merchant.clockOffset));
}
