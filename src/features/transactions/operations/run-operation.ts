import type { AcquirerAnswer } from "../../../connectors/ports/card-acquirer.ts";
import { approve } from "../../../kernel/codes/outcomes.ts";
import { type Id, newId } from "../../../kernel/ids.ts";
import { nextState } from "../../../kernel/lifecycle.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { changeTime, type Instant, later, SECOND } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { insertJob } from "../../../platform/jobs/queries.ts";
import type { Merchant } from "../../merchants/index.ts";
import { ACQUIRER_DEADLINE, answerOrUnknown, reverseAtAcquirer } from "../call-bank.ts";
import { lockTransaction, updateTransaction } from "../queries.ts";
import type { Transaction } from "../transaction.ts";
import { transactionChange } from "../transaction-change.ts";
import { capture, isOpenAuthorisation, release } from "../transaction-rules.ts";
import { type Operation, operationLifecycle } from "./operation.ts";
import { findPendingOperation, insertOperation, lockOperation, updateOperation } from "./queries.ts";

/** Finishes an operation whose process did not, or whose outcome was unknown. */
export const OPERATION_JOB = "transaction_operation";

type OperationPlan = {
  readonly transactionId: Id<"transaction">;
  readonly decide: (authorisation: Transaction) => Pick<Operation, "kind" | "amount">;
};

/** Before the call: records the intent, with the job that finishes it if this process does not. */
export async function beginOperation(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { transactionId: id, decide }: OperationPlan,
): Promise<Operation> {
  const transaction = (await lockTransaction(tx, merchant.id, id)) ?? refuse("resource_not_found");
  if (!isOpenAuthorisation(transaction)) refuse("transaction_capture_state_conflict");
  if (await findPendingOperation(tx, merchant.id, id)) refuse("transaction_movement_in_progress");
  const now = clockOf(ctx, merchant);
  const operation: Operation = {
    id: newId("operation", now),
    merchantId: merchant.id,
    transactionId: id,
    status: "pending",
    ...decide(transaction),
  };
  await insertOperation(tx, operation, now);
  const job = {
    kind: OPERATION_JOB,
    merchantId: merchant.id,
    subjectId: operation.id,
    realTime: true,
  } as const;
  await insertJob(tx, job, later(ctx.now(), ACQUIRER_DEADLINE + 5 * SECOND));
  return operation;
}

/**
 * Sends the operation and records the outcome; false while that is unknown. Repeating it is safe: the acquirer identifies
 * the operation by its id.
 */
export async function finishOperation(
  ctx: Context,
  merchant: Merchant,
  operation: Operation,
): Promise<boolean> {
  const answer = await sendOperation(ctx, merchant, operation);
  if (answer.kind === "unknown") return false;
  await ctx.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, operation.transactionId);
    const pending = await lockOperation(tx, merchant.id, operation.id);
    if (pending?.status !== "pending" || transaction === undefined) return;
    const trigger = answer.kind === "approved" ? "finish" : "refuse";
    const status = nextState(operationLifecycle, pending.status, trigger) ?? pending.status;
    await updateOperation(tx, { ...pending, status });
    if (answer.kind === "declined") return;
    const updatedAt = changeTime(clockOf(ctx, merchant), transaction.updatedAt);
    const changed: Transaction = { ...applyOperation(operation, transaction, merchant), updatedAt };
    await updateTransaction(tx, changed, transactionChange(merchant.mode, changed));
  });
  return true;
}

async function sendOperation(
  ctx: Context,
  merchant: Merchant,
  operation: Operation,
): Promise<AcquirerAnswer> {
  const { id: reference, transactionId: transaction, amount } = operation;
  const acquirer = ctx.connectors.getCardAcquirer(merchant);
  if (operation.kind === "capture") {
    return answerOrUnknown(ctx, () => acquirer.capture({ reference, transaction, amount }));
  }
  const reversed = await reverseAtAcquirer(ctx, merchant, transaction);
  return reversed ? approve("approved") : { kind: "unknown" };
}

function applyOperation(
  { kind, amount }: Operation,
  transaction: Transaction,
  { fees }: Merchant,
): Transaction {
  return kind === "capture" ? capture(transaction, amount, fees) : release(transaction, kind);
}

/** Returns when to try again if the outcome is unknown. */
export async function resumeOperation(
  ctx: Context,
  merchant: Merchant,
  id: Id<"operation">,
): Promise<Instant | undefined> {
  const operation = await lockOperation(ctx.db, merchant.id, id);
  if (operation?.status !== "pending") return undefined;
  return (await finishOperation(ctx, merchant, operation)) ? undefined : later(ctx.now(), 5 * SECOND);
}
