import type { Id } from "../../kernel/ids.ts";
import { CURRENCIES, cents, MAX_CENTS } from "../../kernel/money.ts";
import { HOUR, later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import type { Merchant } from "../merchants/index.ts";
import { type FollowUp, findTransaction, type Transaction } from "../transactions/index.ts";
import { type BatchPlan, makeBatch, makeNextBatch } from "./make-batch.ts";
import { findDebit } from "./queries.ts";

export const COLLECT_DEBIT_JOB = "debit_collect";

const LIMIT = { debits: 200, total: cents(1_000 * MAX_CENTS) };

/** The job that sees a new debit into a batch. */
export function followUpDebit(ctx: Context, { merchantId, id }: Transaction): FollowUp {
  return { job: { kind: COLLECT_DEBIT_JOB, merchantId, subjectId: id, realTime: true }, due: ctx.now() };
}

/**
 * Puts the debit, and every other that waits, into a batch; most debits are in one already when their job runs. Without a
 * connector the operator exports debits to a file.
 */
export async function collectDebit(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<NextRun> {
  if ((await findDebit(ctx.db, merchant.id, id)) !== undefined) return undefined;
  if (ctx.connectors.findDebitBank(merchant) === undefined) {
    const found = await findTransaction(ctx.db, merchant.id, id);
    return found?.status === "pending" ? later(ctx.now(), HOUR) : undefined;
  }
  const made = await eachBatch((plan) => makeBatch(ctx, merchant, plan));
  ctx.wakeJobs();
  // The batch that is being made has this debit, or the next run puts it into one.
  return made === "busy" ? later(ctx.now(), SECOND) : undefined;
}

/** Puts all waiting debits into batches, each with the job that hands it over. */
export async function collectWaiting(ctx: Context, merchant: Merchant): Promise<void> {
  await eachBatch((plan) => makeNextBatch(ctx, merchant, plan));
}

/** Makes batches until nothing waits, or until the merchant's batches are being made elsewhere. */
async function eachBatch(make: (plan: BatchPlan) => Promise<unknown>): Promise<"busy" | undefined> {
  for (const currency of CURRENCIES) {
    for (;;) {
      const made = await make({ rail: "connector", currency, limit: LIMIT });
      if (made === "busy") return "busy";
      if (made === undefined) break;
    }
  }
  return undefined;
}
