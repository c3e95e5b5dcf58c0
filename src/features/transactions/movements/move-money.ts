import type { AcquirerAnswer } from "../../../connectors/card-acquirer.ts";
import { approve } from "../../../kernel/codes/outcomes.ts";
import { type Id, newId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { changeTime, later, SECOND } from "../../../kernel/time.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { insertJob } from "../../../platform/jobs/queries.ts";
import type { JobHandler } from "../../../platform/jobs/worker.ts";
import { clockOf, connectorsOf, type World } from "../../../platform/world.ts";
import { findMerchant, type Merchant } from "../../merchants/index.ts";
import { ACQUIRER_DEADLINE, askAcquirer, reverseAtAcquirer } from "../ask-acquirer.ts";
import { lockTransaction, updateTransaction } from "../queries.ts";
import { captured, isOpenAuthorisation, type Transaction } from "../transaction.ts";
import { transactionChange } from "../transaction-change.ts";
import {
  findPendingMovement,
  insertMovement,
  lockMovement,
  type Movement,
  updateMovement,
} from "./queries.ts";

/** A capture or a void that was begun is finished by this job, whatever became of the process that began it. */
export const MOVEMENT_JOB = "transaction_movement";

/** First half, before the call: the intent is on record, with the job that will finish it if we don't. */
export async function beginMovement(
  world: World,
  tx: Tx,
  merchant: Merchant,
  id: Id<"transaction">,
  decide: (authorisation: Transaction) => Pick<Movement, "kind" | "amount">,
): Promise<Movement> {
  const transaction = (await lockTransaction(tx, merchant.id, id)) ?? refuse("resource_not_found");
  if (!isOpenAuthorisation(transaction)) refuse("transaction_capture_state_conflict");
  if (await findPendingMovement(tx, merchant.id, id)) refuse("transaction_movement_in_progress");
  const now = clockOf(world, merchant);
  const movement: Movement = {
    id: newId("movement", now),
    merchantId: merchant.id,
    transactionId: id,
    status: "pending",
    ...decide(transaction),
  };
  await insertMovement(tx, movement, now);
  const job = {
    kind: MOVEMENT_JOB,
    merchantId: merchant.id,
    subjectId: movement.id,
    realTime: true,
  } as const;
  await insertJob(tx, job, later(world.now(), ACQUIRER_DEADLINE + 5 * SECOND));
  return movement;
}

/** Second half: the call, and its outcome. Repeating it is safe: the acquirer knows the movement by its id. */
export async function finishMovement(world: World, merchant: Merchant, movement: Movement): Promise<boolean> {
  const answer = await moveAtAcquirer(world, merchant, movement);
  if (answer.kind === "unknown") return false;
  await world.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, movement.transactionId);
    const pending = await lockMovement(tx, merchant.id, movement.id);
    if (pending?.status !== "pending" || transaction === undefined) return;
    await updateMovement(tx, pending, answer.kind === "approved" ? "done" : "refused");
    if (answer.kind === "declined") return;
    const updatedAt = changeTime(clockOf(world, merchant), transaction.updatedAt);
    const moved: Transaction = { ...movedBy(movement, transaction, merchant), updatedAt };
    await updateTransaction(tx, moved, transactionChange(merchant.mode, moved));
  });
  return true;
}

async function moveAtAcquirer(world: World, merchant: Merchant, movement: Movement): Promise<AcquirerAnswer> {
  const { id: reference, transactionId: transaction, amount } = movement;
  const { acquirer } = connectorsOf(world, merchant);
  if (movement.kind === "capture") {
    return askAcquirer(world, () => acquirer.capture({ reference, transaction, amount }));
  }
  const reversed = await reverseAtAcquirer(world, merchant, transaction);
  return reversed ? approve("approved") : { kind: "unknown" };
}

function movedBy({ kind, amount }: Movement, transaction: Transaction, { fees }: Merchant): Transaction {
  if (kind === "capture") return captured(transaction, amount, fees);
  return { ...transaction, captureStatus: kind === "void" ? "voided" : "expired" };
}

export const finishMovementLater: JobHandler = async (world, job) => {
  const merchant = await findMerchant(world.db, job.merchantId as Id<"merchant">);
  const movement = await lockMovement(
    world.db,
    job.merchantId as Id<"merchant">,
    job.subjectId as Id<"movement">,
  );
  if (merchant === undefined || movement?.status !== "pending") return undefined;
  return (await finishMovement(world, merchant, movement)) ? undefined : later(world.now(), 5 * SECOND);
};
