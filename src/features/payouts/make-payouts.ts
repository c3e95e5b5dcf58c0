import { newId } from "../../kernel/ids.ts";
import { dayInZone, type Instant, later, MINUTE } from "../../kernel/time.ts";
import type { Tx } from "../../platform/db/database.ts";
import { announce } from "../../platform/outbox/announce.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { findMerchant, type Merchant, zoneOf } from "../merchants/index.ts";
import type { Payout } from "./payout.ts";
import { LINES_SHOWN, presentPayout } from "./present.ts";
import { insertPayout, listLines, listMerchantsDue, lockPaying, startOfDay } from "./queries.ts";

/** Pays out what is held of the days that are over for the merchant: one payout per currency. */
export async function makeDailyPayouts(world: World, merchant: Merchant): Promise<readonly Payout[]> {
  return makePayouts(world, merchant, (tx, now) => startOfDay(tx, now, zoneOf(merchant)));
}

/** In the sandbox: pays out all that is held, today's included. */
export async function makePayoutsNow(world: World, merchant: Merchant): Promise<readonly Payout[]> {
  return makePayouts(world, merchant, async (_, now) => later(now, MINUTE));
}

/** Merchants whose day is over are paid. Any number of nodes may do this at once: a line goes into one payout. */
export async function payWhoIsDue(world: World): Promise<void> {
  for (const id of await listMerchantsDue(world.db, world.now())) {
    const merchant = await findMerchant(world.db, id);
    if (merchant !== undefined) await makeDailyPayouts(world, merchant);
  }
}

async function makePayouts(
  world: World,
  merchant: Merchant,
  endOf: (tx: Tx, now: Instant) => Promise<Instant>,
): Promise<readonly Payout[]> {
  return world.db.transaction(async (tx) => {
    await lockPaying(tx, merchant.id);
    const now = clockOf(world, merchant);
    const before = await endOf(tx, now);
    const made: Payout[] = [];
    for (const currency of ["AUD", "NZD"] as const) {
      const id = newId("payout", now);
      const day = dayInZone(now, zoneOf(merchant));
      const wish = { id, merchantId: merchant.id, currency, day, createdAt: now };
      const payout = await insertPayout(tx, wish, before);
      if (payout === undefined) continue;
      await announcePayout(tx, merchant, payout);
      made.push(payout);
    }
    return made;
  });
}

async function announcePayout(tx: Tx, merchant: Merchant, payout: Payout): Promise<void> {
  const lines = await listLines(tx, payout, LINES_SHOWN);
  await announce(tx, {
    merchantId: merchant.id,
    event: "payouts",
    resourceId: payout.id,
    reference: payout.id,
    at: payout.createdAt,
    payload: presentPayout(payout, lines, merchant.mode),
  });
}
