import { newId } from "../../kernel/ids.ts";
import { type Cents, type Currency, sum } from "../../kernel/money.ts";
import { type CalendarDay, dayInZone } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob, type NewJob } from "../../platform/jobs/queries.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import { type Batch, type DebitToSend, fitting } from "./direct-debit.ts";
import { insertBatch, lockBatching, lockWaiting } from "./queries.ts";

export type BatchPlan = {
  readonly rail: Batch["rail"];
  readonly currency: Currency;
  /** When the bank debits the accounts; default today. */
  readonly day?: CalendarDay;
  readonly limit: { readonly debits: number; readonly total: Cents };
  /** Debits that this rail cannot carry stay for another batch. */
  readonly accepts?: (debit: DebitToSend) => boolean;
};

const POLL_MS = 50;

export const SUBMIT_BATCH_JOB = "debit_submit";

/** The one job that hands a batch over. It waits for the bank, not for the merchant's clock. */
export function submitJob({ merchantId, id }: Pick<Batch, "merchantId" | "id">): NewJob {
  return { kind: SUBMIT_BATCH_JOB, merchantId, subjectId: id, realTime: true };
}

type Made = { readonly batch: Batch; readonly debits: readonly DebitToSend[] };

/**
 * Puts waiting debits into a batch: they are on record there before they reach a bank, and no other batch can include them.
 * Only one whose number is unreadable leaves it again, before its first file. A batch for a connector gets the job that hands it over. `busy` when another batch is being made.
 */
export async function makeBatch(
  ctx: Context,
  merchant: Merchant,
  plan: BatchPlan,
): Promise<Made | "busy" | undefined> {
  return ctx.db.transaction(async (tx) => {
    if (!(await lockBatching(tx, merchant.id))) return "busy";
    const debits = fitting(await lockAccepted(tx, merchant, plan), plan.limit);
    if (debits.length === 0) return undefined;
    const now = clockOf(ctx, merchant);
    const batch: Batch = {
      id: newId("debitBatch", now),
      merchantId: merchant.id,
      rail: plan.rail,
      currency: plan.currency,
      day: plan.day ?? dayInZone(now, zoneOf(merchant)),
      debits: debits.length,
      total: sum(debits.map(({ amount }) => amount)),
      createdAt: now,
      status: "made",
      attempts: 0,
      submittingSince: null,
      processingDay: null,
    };
    await insertBatch(tx, batch, debits);
    if (batch.rail === "connector") await insertJob(tx, submitJob(batch), ctx.now());
    return { batch, debits };
  });
}

/** Enough debits for the batch, past those that the rail cannot carry. */
async function lockAccepted(tx: Tx, merchant: Merchant, plan: BatchPlan): Promise<readonly DebitToSend[]> {
  const atMost = plan.limit.debits;
  const accepted: DebitToSend[] = [];
  for (let after = ""; ; ) {
    const waiting = await lockWaiting(tx, merchant.id, plan.currency, { after, atMost });
    accepted.push(...waiting.filter(plan.accepts ?? (() => true)));
    const last = waiting.at(-1);
    if (last === undefined || waiting.length < atMost || accepted.length >= atMost) return accepted;
    after = last.transactionId;
  }
}

/** As `makeBatch`, after the one that is being made. */
export async function makeNextBatch(
  ctx: Context,
  merchant: Merchant,
  plan: BatchPlan,
): Promise<Made | undefined> {
  for (;;) {
    const made = await makeBatch(ctx, merchant, plan);
    if (made !== "busy") return made;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
