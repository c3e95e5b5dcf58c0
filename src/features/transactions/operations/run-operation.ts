import type { AcquirerAnswer } from "../../../connectors/ports/card-acquirer.ts";
import { approve } from "../../../kernel/codes/outcomes.ts";
import { type Id, newId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { changeTime, type Instant, later, SECOND } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { insertJob } from "../../../platform/jobs/queries.ts";
import type { Merchant } from "../../merchants/index.ts";
import { ACQUIRER_DEADLINE, answerOrUnknown, reverseAtAcquirer } from "../call-bank.ts";
import { lockTransaction, updateTransaction } from "../queries.ts";
import { captured, isOpenAuthorisation, type Transaction } from "../transaction.ts";
import { transactionChange } from "../transaction-change.ts";
import {
  findPendingOperation,
  insertOperation,
  lockOperation,
  type Operation,
  updateOperation,
} from "./queries.ts";

/** A capture or a void that was begun is finished by this job, whatever became of the process that began it. */
export const OPERATION_JOB = "transaction_movement";

/** First half, before the call: the intent is on record, with the job that will finish it if we don't. */
export async function beginOperation(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  id: Id<"transaction">,
  decide: (authorisation: Transaction) => Pick<Operation, "kind" | "amount">,
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

/** Second half: the call, and its outcome. Repeating it is safe: the acquirer knows the movement by its id. */
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
    await updateOperation(tx, pending, answer.kind === "approved" ? "done" : "refused");
    if (answer.kind === "declined") return;
    const updatedAt = changeTime(clockOf(ctx, merchant), transaction.updatedAt);
    const moved: Transaction = { ...applyOperation(operation, transaction, merchant), updatedAt };
    await updateTransaction(tx, moved, transactionChange(merchant.mode, moved));
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
  if (kind === "capture") return captured(transaction, amount, fees);
  return { ...transaction, captureStatus: kind === "void" ? "voided" : "expired" };
}

/** Finishes an operation whose process did not live to. Returns when to try again if the outcome is unknown. */
export async function resumeOperation(
  ctx: Context,
  merchant: Merchant,
  id: Id<"operation">,
): Promise<Instant | undefined> {
  const operation = await lockOperation(ctx.db, merchant.id, id);
  if (operation?.status !== "pending") return undefined;
  return (await finishOperation(ctx, merchant, operation)) ? undefined : later(ctx.now(), 5 * SECOND);
}
