import { newId } from "../../kernel/ids.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import { dayInZone, type Instant, later, MINUTE } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { publish } from "../../platform/outbox/publish.ts";
import { findMerchant, type Merchant, zoneOf } from "../merchants/index.ts";
import type { Payout } from "./payout.ts";
import { LINES_SHOWN, presentPayout } from "./present.ts";
import { insertPayout, listLines, listMerchantsDue, lockPaying, startOfDay } from "./queries.ts";

/** Pays out the held money of the merchant's past days: one payout per currency. */
export async function makeDailyPayouts(ctx: Context, merchant: Merchant): Promise<readonly Payout[]> {
  return makePayouts(ctx, merchant, (tx, now) => startOfDay(tx, now, zoneOf(merchant)));
}

/** In the sandbox: pays out all held money, today's included. */
export async function makePayoutsNow(ctx: Context, merchant: Merchant): Promise<readonly Payout[]> {
  return makePayouts(ctx, merchant, async (_, now) => later(now, MINUTE));
}

/** Pays every merchant whose day is over. Any number of nodes may run it at once: a line goes into one payout. */
export async function runDuePayouts(ctx: Context): Promise<void> {
  for (const id of await listMerchantsDue(ctx.db, ctx.now())) {
    const merchant = await findMerchant(ctx.db, id);
    if (merchant !== undefined) await makeDailyPayouts(ctx, merchant);
  }
}

async function makePayouts(
  ctx: Context,
  merchant: Merchant,
  endOf: (tx: Tx, now: Instant) => Promise<Instant>,
): Promise<readonly Payout[]> {
  return ctx.db.transaction(async (tx) => {
    await lockPaying(tx, merchant.id);
    const now = clockOf(ctx, merchant);
    const before = await endOf(tx, now);
    const payouts: Payout[] = [];
    for (const currency of CURRENCIES) {
      const id = newId("payout", now);
      const day = dayInZone(now, zoneOf(merchant));
      const head = { id, merchantId: merchant.id, currency, day, createdAt: now };
      const payout = await insertPayout(tx, head, before);
      if (payout === undefined) continue;
      await publishPayout(tx, merchant, payout);
      payouts.push(payout);
    }
    return payouts;
  });
}

async function publishPayout(tx: Tx, merchant: Merchant, payout: Payout): Promise<void> {
  const lines = await listLines(tx, payout, LINES_SHOWN);
  await publish(tx, {
    merchantId: merchant.id,
    event: "payouts",
    resourceId: payout.id,
    reference: payout.id,
    at: payout.createdAt,
    payload: presentPayout(payout, lines, merchant.mode),
  });
}
