import type { AcquirerAnswer, FinalAnswer } from "../../../connectors/ports/card-acquirer.ts";
import { soundAnswer } from "../../../connectors/ports/sound-answer.ts";
import { type Id, newId } from "../../../kernel/ids.ts";
import { reverseLate } from "../../../kernel/late-approval.ts";
import { nextState } from "../../../kernel/lifecycle.ts";
import { cents } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { finishKeysOf } from "../../../platform/idempotency/queries.ts";
import type { NextRun } from "../../../platform/jobs/job.ts";
import { insertJob, postponeJob } from "../../../platform/jobs/queries.ts";
import type { Merchant } from "../../merchants/index.ts";
import { answerOrUnknown, BANK_DEADLINE, BANK_GRACE, reverseAtAcquirer } from "../call-bank.ts";
import { aboutPayment, eraseTransactionCard } from "../original-payment.ts";
import {
  findTransaction,
  lockTransaction,
  setCaptureReference,
  updateLateApproval,
  updateTransaction,
} from "../queries.ts";
import { receiptJobOf } from "../receipt-job.ts";
import type { Transaction } from "../transaction.ts";
import { transactionChange } from "../transaction-change.ts";
import {
  authorisedOf,
  capture,
  isOpenAuthorisation,
  release,
  withCaptureReference,
  withChangeTime,
} from "../transaction-rules.ts";
import { type Decided, type Operation, operationLifecycle } from "./operation.ts";
import {
  findOperation,
  findPendingOperation,
  insertOperation,
  lockOperation,
  updateOperation,
} from "./queries.ts";

/** Finishes an operation whose process did not, or whose outcome was unknown. */
export const OPERATION_JOB = "transaction_operation";

type OperationPlan = {
  readonly transactionId: Id<"transaction">;
  readonly overdueAfterMs: number;
  readonly decide: (authorisation: Transaction) => Decided;
};

/** An operation on record, and the job that finishes it if this process does not. */
export type BegunOperation = { readonly operation: Operation; readonly jobId: number; readonly due: Instant };

/**
 * How long the process that sends an operation about this payment may wait for its outcome. Sooner, another node would repeat
 * it while the acquirer's answer is still in time. Read before the transaction that records the operation: opening an account
 * takes a connection of its own.
 */
export async function overdueAfter(ctx: Context, merchant: Merchant, id: Id<"transaction">): Promise<number> {
  const transaction = await findTransaction(ctx.db, merchant.id, id);
  // What has no acquirer, such as a debit, is refused in that transaction.
  if (transaction === undefined || !isOpenAuthorisation(transaction)) return BANK_DEADLINE + BANK_GRACE;
  const { host } = await ctx.acquirers.get(merchant, transaction.acquirerAccountId);
  return host.answersWithinMs + BANK_GRACE;
}

/** Before the call: records the intent, with the job that finishes it if this process does not. */
export async function beginOperation(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { transactionId: id, overdueAfterMs, decide }: OperationPlan,
): Promise<BegunOperation> {
  const transaction = (await lockTransaction(tx, merchant.id, id)) ?? refuse("resource_not_found");
  if (!isOpenAuthorisation(transaction)) refuse("transaction_capture_state_conflict");
  if (await findPendingOperation(tx, merchant.id, id)) refuse("transaction_operation_in_progress");
  const now = clockOf(ctx, merchant);
  const operation: Operation = {
    id: newId("operation", now),
    merchantId: merchant.id,
    transactionId: id,
    status: "pending",
    code: null,
    reference: null,
    ...decide(transaction),
  };
  await insertOperation(tx, operation, now);
  const job = {
    kind: OPERATION_JOB,
    merchantId: merchant.id,
    subjectId: operation.id,
    realTime: true,
  } as const;
  const due = later(ctx.now(), overdueAfterMs);
  return { operation, due, jobId: await insertJob(tx, job, due) };
}

/** Sends the operation for the first time. If its outcome is not known then, the job repeats it almost at once. */
export async function runOperation(
  ctx: Context,
  merchant: Merchant,
  { operation, jobId, due }: BegunOperation,
): Promise<Operation> {
  const answer = await sendOperation(ctx, merchant, operation);
  if (answer.kind === "approved" || answer.kind === "declined")
    return recordOperation(ctx, merchant, operation, answer);
  // An acquirer that has accepted it sends the outcome. A job that is due may be running on another node.
  const now = ctx.now();
  if (answer.kind !== "accepted" && now < due)
    await postponeJob(ctx.db, { merchantId: merchant.id, id: jobId }, later(now, SECOND));
  return operation;
}

/**
 * Sends the operation and records the outcome. Returns the operation after that: still pending if the outcome is unknown.
 * Repeating it is safe: the acquirer identifies the operation by its id. A declined operation leaves the authorisation as
 * it was; nothing visible changes, so no event is published.
 */
export async function finishOperation(
  ctx: Context,
  merchant: Merchant,
  operation: Operation,
): Promise<Operation> {
  const answer = await sendOperation(ctx, merchant, operation);
  if (answer.kind !== "approved" && answer.kind !== "declined") return operation;
  return recordOperation(ctx, merchant, operation, answer);
}

/** Records the outcome of an operation, once. */
export async function recordOperation(
  ctx: Context,
  merchant: Merchant,
  operation: Operation,
  answer: FinalAnswer,
): Promise<Operation> {
  // A late approval has to go back: the job repeats the reversal until the acquirer confirms it.
  if (operation.kind === "reverse" && answer.kind === "declined") return operation;
  return ctx.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, operation.transactionId);
    const pending = await lockOperation(tx, merchant.id, operation.id);
    if (pending === undefined || transaction === undefined) throw new Error("operation not found");
    if (pending.status !== "pending") return pending;
    const done = doneOf(pending, answer);
    const trigger = done === undefined ? "refuse" : "finish";
    const status = nextState(operationLifecycle, pending.status, trigger) ?? pending.status;
    const code = answer.kind === "approved" && done === undefined ? "partial_approval_refused" : answer.code;
    const answered: Operation = { ...pending, status, code };
    await updateOperation(tx, answered);
    await finishKeysOf(tx, merchant.id, transaction.id);
    if (operation.kind === "reverse") {
      const reversed = reverseLate(transaction, clockOf(ctx, merchant));
      if (reversed !== undefined)
        await updateLateApproval(tx, reversed, transactionChange(merchant.mode, reversed, ctx.settings));
    }
    if (done === undefined || done.kind === "reverse") return answered;
    const operated = withCaptureReference(applyOperation(done, transaction, merchant), pending.reference);
    const changed = withChangeTime(operated, clockOf(ctx, merchant));
    if (changed.captureReference !== null) await setCaptureReference(tx, changed);
    await updateTransaction(tx, changed, transactionChange(merchant.mode, changed, ctx.settings));
    const receipt = receiptJobOf(ctx, changed);
    if (receipt !== undefined) await insertJob(tx, receipt.job, receipt.due);
    if (changed.captureStatus !== "captured") await eraseTransactionCard(ctx, tx, changed);
    return answered;
  });
}

async function sendOperation(
  ctx: Context,
  merchant: Merchant,
  operation: Operation,
): Promise<AcquirerAnswer> {
  const { id: reference, kind, amount } = operation;
  const transaction = await findTransaction(ctx.db, merchant.id, operation.transactionId);
  if (transaction === undefined) throw new Error("operation without a transaction");
  if (kind === "reverse") return reverseAtAcquirer(ctx, merchant, transaction);
  const { host } = await ctx.acquirers.get(merchant, transaction.acquirerAccountId);
  const use = { host, purpose: kind === "capture" ? "capture" : "void", subjectId: reference } as const;
  const held = authorisedOf(transaction);
  return answerOrUnknown(
    ctx,
    (signal) =>
      aboutPayment(ctx, transaction, use, (payment) =>
        soundAnswer(
          kind === "capture"
            ? host.capture({ reference, payment, amount, isFinal: true }, signal)
            : host.void({ reference, payment, amount: held }, signal),
        ),
      ),
    { deadlineMs: host.answersWithinMs },
  );
}

/**
 * What the acquirer did of an operation; undefined when that is nothing. ISO 8583 and most acquirers can't take back a capture
 * alone, so one that was made in part stands with its part.
 */
function doneOf(
  { kind, amount }: Operation,
  answer: FinalAnswer,
): Pick<Operation, "kind" | "amount"> | undefined {
  if (answer.kind === "declined") return undefined;
  if (kind !== "capture") return { kind, amount };
  const captured = cents(Math.min(answer.approvedAmount ?? amount, amount));
  return captured === 0 ? undefined : { kind, amount: captured };
}

function applyOperation(
  { kind, amount }: Pick<Operation, "kind" | "amount">,
  transaction: Transaction,
  { fees }: Merchant,
): Transaction {
  if (kind === "reverse") return transaction;
  return kind === "capture" ? capture(transaction, amount, fees) : release(transaction, kind);
}

/** Returns when to try again if the outcome is unknown. */
export async function resumeOperation(
  ctx: Context,
  merchant: Merchant,
  id: Id<"operation">,
): Promise<NextRun> {
  const operation = await findOperation(ctx.db, merchant.id, id);
  if (operation?.status !== "pending") return undefined;
  const { status } = await finishOperation(ctx, merchant, operation);
  if (status !== "pending") return undefined;
  const retry =
    operation.kind === "reverse"
      ? "an approval that arrived too late is not reversed: the acquirer has not confirmed it"
      : "a capture or void is not settled: the outcome is not known";
  const transaction = await findTransaction(ctx.db, merchant.id, operation.transactionId);
  const { host } = await ctx.acquirers.get(merchant, transaction?.acquirerAccountId ?? null);
  return { retry, withinMs: host.repeatsWithinMs };
}
