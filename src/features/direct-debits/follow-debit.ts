import type { DebitState, DirectDebitBank } from "../../connectors/ports/direct-debit-bank.ts";
import { soundStates } from "../../connectors/ports/sound-answer.ts";
import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { dayInZone, type Instant, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertRetry } from "../../platform/jobs/run-job.ts";
import { MERCHANT_CLOCK, type Merchant, zoneOf } from "../merchants/index.ts";
import { withDeadline } from "../transactions/index.ts";
import { applyState } from "./apply-state.ts";
import { type Batch, batchLifecycle, clearingWait, type Debit } from "./direct-debit.ts";
import { submitJob } from "./make-batch.ts";
import { findBatch, findDebit, lockBatch, markUnsent, updateBatch } from "./queries.ts";

export const FOLLOW_DEBIT_JOB = "debit_follow";

/** Follows a debit that the bank has until its outcome is final. The job is written when the bank takes the debit. */
export async function followDebit(ctx: Context, merchant: Merchant, id: Id<"transaction">): Promise<NextRun> {
  const debit = await findDebit(ctx.db, merchant.id, id);
  // The batch of one that the bank lost has its own job.
  if (debit === undefined || debit.closedAt !== null || debit.submittedAt === null) return undefined;
  const batch = await findBatch(ctx.db, merchant.id, debit.batchId);
  if (batch === undefined) return undefined;
  if (batch.rail === "file") return followFile(ctx, merchant, batch, id);
  const bank = ctx.connectors.findDebitBank(merchant);
  if (bank === undefined) return { retry: "a debit's outcome is not known: the merchant has no connector" };
  return readState(ctx, merchant, bank, debit);
}

/**
 * The bank has the file, as the operator confirmed. A debit that was not returned within the clearing days counts as paid.
 * A later return is still imported.
 */
async function followFile(
  ctx: Context,
  merchant: Merchant,
  batch: Batch,
  id: Id<"transaction">,
): Promise<NextRun> {
  const now = clockOf(ctx, merchant);
  const wait = clearingWait(batch, dayInZone(now, zoneOf(merchant)));
  if (wait !== undefined) return later(ctx.now(), wait);
  await applyState(ctx, merchant, id, { kind: "settled", code: "approved", returnableUntil: now, asOf: now });
  return undefined;
}

/** What the bank knows of a debit; undefined if it does not answer, or with something else. */
export async function readDebit(
  ctx: Context,
  bank: DirectDebitBank,
  id: Id<"transaction">,
  asOf: Instant,
): Promise<DebitState | undefined> {
  const [state] = await readDebits(ctx, bank, [id], asOf);
  return state;
}

/** What the bank knows of each debit; nothing if it does not answer, or with something else. */
export async function readDebits(
  ctx: Context,
  bank: DirectDebitBank,
  ids: readonly Id<"transaction">[],
  asOf: Instant,
): Promise<readonly DebitState[]> {
  return withDeadline(ctx, () => soundStates(bank.read(ids, asOf), ids.length), []);
}

/** Reads the debit's state from the bank and records it. Returns when to read again. */
async function readState(
  ctx: Context,
  merchant: Merchant,
  bank: DirectDebitBank,
  debit: Debit,
): Promise<NextRun> {
  const id = debit.transactionId;
  const now = clockOf(ctx, merchant);
  const state = await readDebit(ctx, bank, id, now);
  if (state === undefined) return { retry: "a debit's outcome is not known: the bank does not answer" };
  if (state.kind === "never_seen") return submitAgain(ctx, merchant, debit);
  if (state.kind === "processing") return { onMerchantsClock: state.until, clock: MERCHANT_CLOCK };
  await applyState(ctx, merchant, id, { ...state, asOf: now });
  if (state.kind !== "settled" || state.returnableUntil <= now) return undefined;
  return { onMerchantsClock: state.returnableUntil, clock: MERCHANT_CLOCK };
}

/**
 * The bank took the debit and does not know it: what it took is unknown. The batch is handed over again, later each time,
 * and needs attention when that has happened as often as a job may fail.
 */
async function submitAgain(
  ctx: Context,
  merchant: Merchant,
  { transactionId, batchId }: Debit,
): Promise<undefined> {
  await ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchant.id, batchId);
    await markUnsent(tx, merchant.id, transactionId);
    const status = batch && nextState(batchLifecycle, batch.status, "forget");
    // In any other status the batch has its job already.
    if (batch === undefined || status === undefined) return;
    await updateBatch(tx, { ...batch, status });
    const problem = "a debit batch was handed over, and the bank does not know its debits";
    await insertRetry(ctx, tx, submitJob(batch), { problem, tries: batch.attempts });
  });
}
