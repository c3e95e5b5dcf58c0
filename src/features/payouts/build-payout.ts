import { idMoment, newId } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import { dayInZone, type Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { publish } from "../../platform/outbox/publish.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import { emptyHeld, lockHeld } from "./held/queries.ts";
import type { Payout } from "./payout.ts";
import { LINES_SHOWN, presentPayout } from "./present.ts";
import {
  beginTaking,
  countLines,
  deleteBuild,
  extendBuild,
  insertPayout,
  listLines,
  lockBuild,
  type PayoutBuild,
  takeLines,
} from "./queries.ts";

/** What a step came to: there is more to do, nothing is owed, or the payout up to a cut-off is complete. */
export type Step = "more" | "nothing" | { readonly payout: Payout; readonly cutOff: Instant };

/**
 * One step towards the payout of a merchant in one currency, of what is held from before the cut-off. A step is a
 * transaction of its own and handles a bounded number of lines. The build's row is locked, so nodes take turns.
 */
export async function buildPayout(
  ctx: Context,
  merchant: Merchant,
  currency: Currency,
  cutOff: Instant,
): Promise<Step> {
  return ctx.db.transaction(async (tx) => {
    const build = await lockBuild(tx, merchant.id, currency, cutOff);
    if (build === undefined) return "nothing";
    const now = clockOf(ctx, merchant);
    return build.phase === "counting" ? count(tx, build, now) : take(tx, merchant, build, { now, cutOff });
  });
}

/** Lines that come to nothing or less stay held: they wait for more payments. */
async function count(tx: Tx, build: PayoutBuild, now: Instant): Promise<Step> {
  const counted = await countLines(tx, build);
  if (!counted.isComplete) return "more";
  if (counted.amount > 0) {
    await beginTaking(tx, build, newId("payout", now));
    return "more";
  }
  await deleteBuild(tx, build);
  return "nothing";
}

async function take(
  tx: Tx,
  merchant: Merchant,
  build: PayoutBuild,
  { now, cutOff }: { readonly now: Instant; readonly cutOff: Instant },
): Promise<Step> {
  await lockHeld(tx, merchant.id);
  const taken = await takeLines(tx, build);
  if (!taken.isComplete) return "more";
  await emptyHeld(tx, merchant.id, build.currency, build.cutOff);
  // Lines written since the count can have taken the rest: the payout waits for the lines of later days.
  if (taken.amount <= 0) {
    if (cutOff <= build.cutOff) return "nothing";
    await extendBuild(tx, build, cutOff);
    return "more";
  }
  // Lists find a payout by the moment in its id, which is older than this step.
  const createdAt = build.payoutId === null ? now : idMoment(build.payoutId);
  const payout = await insertPayout(tx, build, { day: dayInZone(createdAt, zoneOf(merchant)), createdAt });
  await deleteBuild(tx, build);
  await publishPayout(tx, merchant, payout);
  return { payout, cutOff: build.cutOff };
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
