import { newId } from "../../kernel/ids.ts";
import { type Cents, type Currency, sum } from "../../kernel/money.ts";
import { type CalendarDay, dayInZone, type Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import { type Batch, type DebitOrder, fitting } from "./direct-debit.ts";
import { insertBatch, lockBatching, lockWaiting } from "./queries.ts";

export type BatchPlan = {
  readonly rail: Batch["rail"];
  readonly currency: Currency;
  /** Only debits requested before this moment. */
  readonly before: Instant;
  /** When the bank debits the accounts; default today. */
  readonly day?: CalendarDay;
  readonly limit: { readonly debits: number; readonly total: Cents };
  /** Orders that this rail cannot carry stay for another batch. */
  readonly accepts?: (order: DebitOrder) => boolean;
};

/**
 * Puts waiting debits into a batch, for good: they are on record there before they reach a bank, and no other batch can
 * include them.
 */
export async function makeBatch(
  ctx: Context,
  merchant: Merchant,
  plan: BatchPlan,
): Promise<{ readonly batch: Batch; readonly orders: readonly DebitOrder[] } | undefined> {
  return ctx.db.transaction(async (tx) => {
    await lockBatching(tx, merchant.id);
    const waiting = await lockWaiting(tx, merchant.id, plan, plan.limit.debits);
    const orders = fitting(waiting.filter(plan.accepts ?? (() => true)), plan.limit);
    if (orders.length === 0) return undefined;
    const now = clockOf(ctx, merchant);
    const batch: Batch = {
      id: newId("debitBatch", now),
      merchantId: merchant.id,
      rail: plan.rail,
      currency: plan.currency,
      day: plan.day ?? dayInZone(now, zoneOf(merchant)),
      debits: orders.length,
      total: sum(orders.map(({ amount }) => amount)),
      createdAt: now,
    };
    await insertBatch(tx, batch, orders);
    return { batch, orders };
  });
}
