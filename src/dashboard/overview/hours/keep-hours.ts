import { zoneOf } from "../../../features/merchants/index.ts";
import { addHeld } from "../../../features/payouts/index.ts";
import { idFloor } from "../../../kernel/ids.ts";
import { earliest, HOUR, type Instant, instant, later, MINUTE, SECOND } from "../../../kernel/time.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import {
  addLateChanges,
  firstSince,
  type Keeper,
  keepDays,
  keepRange,
  listKeepers,
  lockKept,
  noteKept,
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
export async function keepHours(ctx: Context, grace: number = GRACE): Promise<"done" | "more"> {
  let more = false;
  const problems: unknown[] = [];
  for (const keeper of await listKeepers(ctx.db)) {
    const until = hourOf(later(clockOf(ctx, keeper), -SETTLING));
    if (!isBehind(keeper, until)) continue;
    try {
      more = (await keepPortion(ctx, keeper, until, grace)) || more;
    } catch (error) {
      problems.push(error);
      if (problems.length === PROBLEMS_AT_MOST) break;
    }
  }
  if (problems.length > 0) throw problems[0];
  return more ? "more" : "done";
}

function isBehind({ through, next, changed }: Keeper, until: Instant): boolean {
  return changed || through === null || next === null || through < next || next < until;
}

/** True when more hours can be added up now. */
async function keepPortion(
  ctx: Context,
  { id: merchantId, country }: Keeper,
  until: Instant,
  grace: number,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const held = await lockKept(tx, merchantId);
    if (held === undefined) return false;
    await addLateChanges(tx, merchantId, held);
    if (!held.due) return addHeld(tx, merchantId, held.through);
    const floors = (moment: Instant) => [idFloor("transaction", moment), idFloor("refund", moment)] as const;
    const [transactions, refunds] = floors(held.through);
    const first = (await firstSince(tx, merchantId, transactions, refunds)) ?? held.next;
    const from = earliest(hourOf(first), held.next);
    const through = earliest(later(from, PORTION), held.next);
    if (from < through) {
      const [ofTransactions, ofRefunds] = floors(from);
      const [toTransactions, toRefunds] = floors(through);
      const ids = [ofTransactions, toTransactions, ofRefunds, toRefunds];
      await keepRange(tx, merchantId, { from, through, ids });
    }
    await keepDays(tx, merchantId, held, { through, zone: zoneOf({ country }) });
    const isLineLeft = await addHeld(tx, merchantId, through);
    const more = through < held.next;
    const next = more || until < held.next ? held.next : until;
    await noteKept(tx, merchantId, { through, next, waitSeconds: more ? 0 : grace / SECOND });
    return more || isLineLeft;
  });
}

function hourOf(moment: Instant): Instant {
  return instant(moment - (moment % HOUR));
}
