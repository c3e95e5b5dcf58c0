import { readHeld } from "../../features/payouts/index.ts";
import type { TimeZone } from "../../kernel/country.ts";
import { ID_PREFIXES, type Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { listJobsInNeed } from "../../platform/jobs/health/queries.ts";
import { COUNTED_AT_MOST } from "../shell/words.ts";
import type { BucketSum, OverviewState } from "./overview.ts";

/** Starts of the last $3 days, today included, in a merchant's zone. */
const DAY_STARTS = sql(
  "dashboard_day_starts",
  `select day at time zone $2 as start
   from (select date_trunc('day', $1::timestamptz at time zone $2) as today) as now
   cross join generate_series(today - make_interval(days => $3::int - 1), today, interval '1 day') as day order by day`,
);

const THROUGH = sql(
  "dashboard_hours_through",
  `select through, days_through as "daysThrough", days_zone as "daysZone" from payment_hours_kept where merchant_id = $1`,
);

const FACTS = "kind, currency, source, status, code, count, amount";
const OF_TRANSACTION = `'transaction' as kind, currency, source, status, coalesce(code, '') as code, 1::bigint as count,
  case status when 'approved' then captured else 0 end as amount`;
const OF_REFUND = `'refund' as kind, currency, '' as source, status, coalesce(code, '') as code, 1::bigint as count, amount`;

/**
 * The kept days and hours, their late changes, and the records after them: each payment counts once. The upper bounds of the
 * ids exclude nothing, but without them the planner expects a third of the table.
 */
const SUMS = sql(
  "dashboard_sums",
  `with fact as (
     select hour as moment, ${FACTS} from payment_hours where merchant_id = $1 and hour >= $9 and hour < $10
     union all
     select hour, ${FACTS} from payment_hours where merchant_id = $1 and hour >= $11 and hour < $4
     union all
     select day, ${FACTS} from payment_days where merchant_id = $1 and day >= $3 and day < $9
     union all
     select day, ${FACTS} from payment_days where merchant_id = $1 and day >= $12 and day < $11
     union all
     select hour, ${FACTS} from payment_hour_changes where merchant_id = $1 and hour >= $3 and hour < $4
     union all
     select created_at, ${OF_TRANSACTION} from transactions where merchant_id = $1 and id >= $5 and id < $7
     union all
     select created_at, ${OF_REFUND} from refunds where merchant_id = $1 and id >= $6 and id < $8
   )
   select width_bucket(moment, $2::timestamptz[]) as place, kind, currency, source, status, code,
     sum(count)::bigint as count, sum(amount)::bigint as amount
   from fact where moment >= $3 group by 1, 2, 3, 4, 5, 6 having sum(count) <> 0`,
);

/** Every part walks an index, and none beyond the limit. */
const STATE = sql(
  "dashboard_state",
  `with waiting as (
     select count(*) as count, min(event_id) as first
     from (select event_id from deliveries where merchant_id = $1 and status = 'pending' limit $3) as w
   )
   select
     (select count(*) from (select from payment_requests where merchant_id = $1 and status = 'created'
        and expires_at > $2 limit $3) as open) as "openRequests",
     (select count(*) from (select from transactions where merchant_id = $1 and status = 'pending' limit $3) as p)
       as "pendingTransactions",
     (select count(*) from (select from deliveries where merchant_id = $1 and status = 'failed' limit $3) as f)
       as "failedDeliveries",
     waiting.count as "waitingDeliveries",
     (select e.created_at from events e where e.merchant_id = $1 and e.id = waiting.first) as "oldestWaiting"
   from waiting`,
);

/** By currency, because a debit is in the currency of the payer's bank account. */
const PENDING_DEBITS = sql(
  "dashboard_pending_debits",
  `select currency, count(*) as count, sum(amount + surcharge)::bigint as amount
   from (select currency, amount, surcharge from transactions
     where merchant_id = $1 and source = 'direct_debit' and status = 'pending' limit $2) as debit
   group by currency order by currency`,
);

/** Only the newest deliveries, so the cost does not grow with their number. */
const NEWEST_DELIVERIES = sql(
  "dashboard_newest_deliveries",
  `select count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'failed') as failed,
     count(*) filter (where status = 'pending') as waiting,
     percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'delivered') as "medianMs"
   from (select status, latency_ms from deliveries where merchant_id = $1 order by event_id desc limit $2) as newest`,
);

export async function dayStarts(
  tx: Tx,
  now: Instant,
  zone: TimeZone,
  days: number,
): Promise<readonly Instant[]> {
  return (await tx.rows<{ start: Instant }>(DAY_STARTS, [at(now), zone, days])).map(({ start }) => start);
}

/** How far a merchant's hours and days are added up. */
export type KeptThrough = {
  readonly through: Instant;
  readonly daysThrough: Instant | null;
  readonly daysZone: TimeZone | null;
};

export async function keptThrough(tx: Tx, merchantId: Id<"merchant">): Promise<KeptThrough | undefined> {
  return (await tx.rows<KeptThrough>(THROUGH, [merchantId]))[0];
}

type Range = readonly [from: Instant, to: Instant];

/**
 * Kept totals count from `from` to `through`: days up to the first range of hours, that range, nothing until `days` begin
 * again, and hours from their end on. From the two ids on, the records count.
 */
export type Seam = {
  readonly from: Instant;
  readonly hours: Range;
  readonly days: Range;
  readonly through: Instant;
  readonly transactions: string;
  readonly refunds: string;
};

export async function sumBuckets(
  tx: Tx,
  merchantId: Id<"merchant">,
  starts: readonly Instant[],
  seam: Seam,
): Promise<readonly BucketSum[]> {
  const edges = starts.map(at);
  return tx.rows<BucketSum>(SUMS, [
    merchantId,
    edges,
    at(seam.from),
    at(seam.through),
    seam.transactions,
    seam.refunds,
    `${ID_PREFIXES.transaction}_~`,
    `${ID_PREFIXES.refund}_~`,
    ...[seam.hours[0], seam.hours[1], seam.days[1], seam.days[0]].map(at),
  ]);
}

type StateRow = Omit<OverviewState, "pendingDebits" | "held" | "newest" | "jobsInNeed">;

const JOBS_SHOWN = 10;
/** Their amounts are shown, not only how many there are. */
export const DEBITS_ADDED_AT_MOST = 10_000;

export async function readState(
  tx: Tx,
  merchantId: Id<"merchant">,
  now: Instant,
  deliveriesLookedAt: number,
): Promise<OverviewState> {
  const [state, pendingDebits, held, newest, jobsInNeed] = await Promise.all([
    tx.rows<StateRow>(STATE, [merchantId, at(now), COUNTED_AT_MOST]),
    tx.rows<OverviewState["pendingDebits"][number]>(PENDING_DEBITS, [merchantId, DEBITS_ADDED_AT_MOST]),
    readHeld(tx, merchantId),
    tx.rows<OverviewState["newest"]>(NEWEST_DELIVERIES, [merchantId, deliveriesLookedAt]),
    listJobsInNeed(tx, JOBS_SHOWN, merchantId),
  ]);
  return { ...onlyRow(state), pendingDebits, held, newest: onlyRow(newest), jobsInNeed };
}
