import { type Merchant, zoneOf } from "../../features/merchants/index.ts";
import { idFloor } from "../../kernel/ids.ts";
import { earliest, HOUR, type Instant, instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { type Overview, overviewOf, type Period } from "./overview.ts";
import { dayStarts, keptThrough, readState, sumBuckets } from "./queries.ts";

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

/** The newest deliveries show how endpoints do; counting more costs more. */
const DELIVERIES_LOOKED_AT = 1_000;

/** The data of the overview, in the merchant's zone and on the merchant's clock. */
export async function readOverview(
  ctx: Pick<Context, "reads" | "now">,
  merchant: Merchant,
  period: Period,
): Promise<Overview> {
  const now = clockOf(ctx, merchant);
  const both = await bucketStarts(ctx, merchant, period, now);
  const starts = both.slice(both.length / 2);
  const [from, begin] = [both[0] ?? now, starts[0] ?? now];
  // Kept totals are hours, so the previous period is cut at a full hour.
  const cut = instant(Math.max(from, now - (now % HOUR) - (begin - from)));
  const kept = await keptThrough(ctx.reads, merchant.id);
  const through = instant(Math.max(from, kept?.through ?? from));
  // Days that are made of hours already are read instead of them, except the day that the cut divides.
  const days = kept?.daysZone === zoneOf(merchant) && period !== "24h" ? (kept.daysThrough ?? from) : from;
  const divided = both.findLast((start) => start <= cut) ?? from;
  const hasDays = days >= begin;
  const seam = {
    from,
    hours: hasDays ? ([divided, cut] as const) : ([from, earliest(begin, through)] as const),
    days: [begin, hasDays ? days : begin] as const,
    through,
    transactions: idFloor("transaction", through),
    refunds: idFloor("refund", through),
  };
  const [all, state] = await Promise.all([
    sumBuckets(ctx.reads, merchant.id, [from, cut, ...starts], seam),
    readState(ctx.reads, merchant.id, now, DELIVERIES_LOOKED_AT),
  ]);
  const previousSums = all.filter(({ place }) => place === 1);
  const sums = all.filter(({ place }) => place > 2).map((sum) => ({ ...sum, place: sum.place - 2 }));
  return overviewOf({ period, currency: merchant.currency, starts, sums, previousSums, state });
}

/** Full hours or days of the period and of the one before; the last one is not over yet. */
async function bucketStarts(
  { reads }: Pick<Context, "reads">,
  merchant: Merchant,
  period: Period,
  now: Instant,
): Promise<readonly Instant[]> {
  if (period !== "24h") return dayStarts(reads, now, zoneOf(merchant), 2 * DAYS[period]);
  const hour = now - (now % HOUR);
  return Array.from({ length: 48 }, (_, index) => instant(hour - (47 - index) * HOUR));
}
