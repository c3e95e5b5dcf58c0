import { newId } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import { type CalendarDay, dayInZone, type Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import { type Batch, type DebitOrder, fitting } from "./direct-debit.ts";
import { insertBatch, lockBatching, lockWaiting } from "./queries.ts";

export type BatchPlan = {
  readonly rail: Batch["rail"];
  readonly currency: Currency;
  /** Debits that were asked for before this moment. */
  readonly before: Instant;
  /** When the bank is to debit; today unless given. */
  readonly day?: CalendarDay;
  readonly limit: { readonly debits: number; readonly total: number };
  /** Those that can't be handed over this way stay behind. */
  readonly accepts?: (order: DebitOrder) => boolean;
};

/**
 * Puts debits that wait into a batch. From then on they are in it for good: they are on record before any bank hears of
 * them, and no other batch can take them.
 */
export async function makeBatch(
  ctx: Context,
  merchant: Merchant,
  plan: BatchPlan,
): Promise<{ readonly batch: Batch; readonly orders: readonly DebitOrder[] } | undefined> {
  return ctx.db.transaction(async (tx) => {
    await lockBatching(tx, merchant.id);
    const waiting = await lockWaiting(tx, merchant.id, plan.currency, plan.before, plan.limit.debits);
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
      total: orders.reduce((sum, { amount }) => sum + amount, 0),
      createdAt: now,
    };
    await insertBatch(tx, batch, orders);
    return { batch, orders };
  });
}
