import type { DirectDebitBank } from "../../connectors/ports/direct-debit-bank.ts";
import type { Id } from "../../kernel/ids.ts";
import { dayInZone, HOUR, type Instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { MERCHANT_CLOCK, type Merchant, zoneOf } from "../merchants/index.ts";
import { type FollowUp, type Transaction, withDeadline } from "../transactions/index.ts";
import { applyState } from "./apply-state.ts";
import { clearedOn, type Debit } from "./direct-debit.ts";
import { findBatch, findDebit, markUnsent } from "./queries.ts";
import { submitBatch, submitWaiting } from "./submit-debits.ts";

export const FOLLOW_DEBIT_JOB = "debit_follow";

/** The job that follows a new debit until its outcome is final. */
export function followUpDebit(ctx: Context, { merchantId, id }: Transaction): FollowUp {
  return { job: { kind: FOLLOW_DEBIT_JOB, merchantId, subjectId: id }, due: ctx.now() };
}

/** Submits the debit if it is not with the bank yet, and records its state. Returns when to check again. */
export async function followDebit(ctx: Context, merchant: Merchant, id: Id<"transaction">): Promise<NextRun> {
  const bank = ctx.connectors.findDebitBank(merchant);
  if (bank === undefined) return followFile(ctx, merchant, id);
  const debit = await submittedDebit(ctx, merchant, bank, id);
  if (debit === undefined) return later(ctx.now(), 2 * SECOND);
  const next = await readState(ctx, merchant, bank, debit);
  if (next === "final") return undefined;
  return next === "soon" ? later(ctx.now(), 2 * SECOND) : { onMerchantsClock: next, clock: MERCHANT_CLOCK };
}

/**
 * Without a connector the operator hands files to the bank. A debit that was not returned within the clearing days counts
 * as paid. A later return is still imported.
 */
async function followFile(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<Instant | undefined> {
  const debit = await findDebit(ctx.db, merchant.id, id);
  const batch = debit?.submittedAt && (await findBatch(ctx.db, merchant.id, debit.batchId));
  if (debit?.closedAt != null) return undefined;
  const now = clockOf(ctx, merchant);
  if (!batch || dayInZone(now, zoneOf(merchant)) < clearedOn(batch)) return later(ctx.now(), HOUR);
  await applyState(ctx, merchant, id, { kind: "settled", code: "approved", returnableUntil: now });
  return undefined;
}

/** The debit once it is with the bank; undefined while that is not certain. */
async function submittedDebit(
  ctx: Context,
  merchant: Merchant,
  bank: DirectDebitBank,
  id: Id<"transaction">,
): Promise<Debit | undefined> {
  const before = await findDebit(ctx.db, merchant.id, id);
  if (before === undefined) await submitWaiting(ctx, merchant, bank);
  else if (before.submittedAt === null && before.closedAt === null) {
    await submitBatch(ctx, merchant, bank, before.batchId);
  } else return before;
  const after = await findDebit(ctx.db, merchant.id, id);
  return after?.submittedAt === null && after.closedAt === null ? undefined : after;
}

/** Reads the debit's state from the bank and records it. Returns when to read again, on the merchant's clock. */
async function readState(
  ctx: Context,
  merchant: Merchant,
  bank: DirectDebitBank,
  { transactionId: id, closedAt }: Debit,
): Promise<Instant | "soon" | "final"> {
  if (closedAt !== null) return "final";
  const now = clockOf(ctx, merchant);
  const [state] = await withDeadline(ctx, () => bank.read([id], now), []);
  if (state === undefined) return "soon";
  if (state.kind === "never_seen") {
    await markUnsent(ctx.db, merchant.id, id);
    return "soon";
  }
  if (state.kind === "processing") return state.until;
  await applyState(ctx, merchant, id, state);
  return state.kind === "settled" && state.returnableUntil > now ? state.returnableUntil : "final";
}
