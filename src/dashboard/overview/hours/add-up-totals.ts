import { zoneOf } from "../../../features/merchants/index.ts";
import { addHeld } from "../../../features/payouts/index.ts";
import { idFloor } from "../../../kernel/ids.ts";
import { earliest, HOUR, type Instant, instant, later, MINUTE, SECOND } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import {
  addLateChanges,
  addUpDays,
  addUpRange,
  firstSince,
  listTotalsStates,
  lockTotals,
  noteTotals,
  type TotalsState,
} from "./queries.ts";

/** An hour is added up this long after its end; a trigger records later changes. */
const SETTLING = 15 * MINUTE;
/** The most per transaction: a busy merchant must not exceed the statement timeout. */
const PORTION = 6 * HOUR;
/** The hours up to a reading of the merchant's clock are added up this much later. */
const GRACE = MINUTE;

/** A merchant whose hours can't be added up delays no other; after so many the database is away. */
const PROBLEMS_AT_MOST = 3;

/** Adds up past hours and days for every merchant, and the unpaid lines of its payouts from them. Several nodes may do it at once. */
export async function addUpTotals(ctx: Context, grace: number = GRACE): Promise<"done" | "more"> {
  let more = false;
  const problems: unknown[] = [];
  for (const state of await listTotalsStates(ctx.db)) {
    const until = hourOf(later(clockOf(ctx, state), -SETTLING));
    if (!isBehind(state, until)) continue;
    try {
      more = (await addUpPortion(ctx, state, until, grace)) || more;
    } catch (error) {
      problems.push(error);
      if (problems.length === PROBLEMS_AT_MOST) break;
    }
  }
  if (problems.length > 0) throw problems[0];
  return more ? "more" : "done";
}

function isBehind({ through, next, isChanged }: TotalsState, until: Instant): boolean {
  return isChanged || through === null || next === null || through < next || next < until;
}

/** True when more hours can be added up now. */
async function addUpPortion(
  ctx: Context,
  { id: merchantId, country }: TotalsState,
  until: Instant,
  grace: number,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const keptTotals = await lockTotals(tx, merchantId);
    if (keptTotals === undefined) return false;
    await addLateChanges(tx, merchantId, keptTotals);
    if (!keptTotals.isDue) return addHeld(tx, merchantId, keptTotals.through);
    const floors = (moment: Instant) => [idFloor("transaction", moment), idFloor("refund", moment)] as const;
    const [transactions, refunds] = floors(keptTotals.through);
    const first = (await firstSince(tx, merchantId, transactions, refunds)) ?? keptTotals.next;
    const from = earliest(hourOf(first), keptTotals.next);
    const through = earliest(later(from, PORTION), keptTotals.next);
    if (from < through) {
      const [ofTransactions, ofRefunds] = floors(from);
      const [toTransactions, toRefunds] = floors(through);
      const ids = [ofTransactions, toTransactions, ofRefunds, toRefunds];
      await addUpRange(tx, merchantId, { from, through, ids });
    }
    await addUpDays(tx, merchantId, keptTotals, { through, zone: zoneOf({ country }) });
    const isLineLeft = await addHeld(tx, merchantId, through);
    const more = through < keptTotals.next;
    const next = more || until < keptTotals.next ? keptTotals.next : until;
    await noteTotals(tx, merchantId, { through, next, waitSeconds: more ? 0 : grace / SECOND });
    return more || isLineLeft;
  });
}

function hourOf(moment: Instant): Instant {
  return instant(moment - (moment % HOUR));
}
