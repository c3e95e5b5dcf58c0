import type { Country, TimeZone } from "../../../kernel/country.ts";
import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

/** How far a merchant's hours are added up. */
export type TotalsState = {
  readonly id: Id<"merchant">;
  readonly clockOffset: number;
  readonly country: Country;
  readonly through: Instant | null;
  readonly next: Instant | null;
  /** Hours that are added up have changed, or lines from them are not added up. */
  readonly isChanged: boolean;
};

const LIST = sql(
  "payment_hours_list_keepers",
  `select m.id, m.clock_offset_ms as "clockOffset", m.country, k.through, k.next, coalesce(k.changed, false) as "isChanged"
   from merchants m left join (
     select merchant_id, through, next, exists (
       select 1 from payment_hour_changes c where c.merchant_id = kept.merchant_id and c.hour < kept.through
     ) or exists (
       select 1 from payout_held h where h.merchant_id = kept.merchant_id and h.last_at < kept.through) as changed
     from payment_hours_kept kept offset 0) k on k.merchant_id = m.id
   order by m.id`,
  { fanOut: "adds up the hours of all merchants" },
);

const BEGIN = sql(
  "payment_hours_begin",
  `insert into payment_hours_kept (merchant_id, through, next, next_from)
   values ($1, '1970-01-01Z', '1970-01-01Z', now()) on conflict do nothing`,
);

/** Skips a merchant whose hours another node is adding up. */
const LOCK = sql(
  "payment_hours_lock",
  `select through, next, next_from <= now() as "isDue", days_through as "daysThrough", days_zone as "daysZone"
   from payment_hours_kept where merchant_id = $1 for update skip locked`,
);

const FIRST_SINCE = sql(
  "payment_hours_first_since",
  `select least(
     (select created_at from transactions where merchant_id = $1 and id >= $2 order by id limit 1),
     (select created_at from refunds where merchant_id = $1 and id >= $3 order by id limit 1)) as first`,
);

const FACTS = "kind, currency, source, status, code";
const columns = (time: "hour" | "day") => `merchant_id, ${time}, ${FACTS}, count, amount`;

/**
 * One statement, so that it counts and drops late changes in one snapshot: a change outside of it is neither counted nor
 * dropped, and is added later.
 */
const ADD_UP = sql(
  "payment_hours_keep",
  `with seen as (delete from payment_hour_changes where merchant_id = $1 and hour >= $2 and hour < $3)
   insert into payment_hours (${columns("hour")})
   select $1, date_trunc('hour', created_at, 'UTC'), 'transaction', currency, source, status, coalesce(code, ''), count(*),
     coalesce(sum(captured) filter (where status = 'approved'), 0)
   from transactions where merchant_id = $1 and id >= $4 and id < $5 group by 2, 4, 5, 6, 7
   union all
   select $1, date_trunc('hour', created_at, 'UTC'), 'refund', currency, '', status, coalesce(code, ''), count(*),
     sum(amount)
   from refunds where merchant_id = $1 and id >= $6 and id < $7 group by 2, 4, 6, 7`,
);

/** A trigger changes the day of an hour if it is made. */
const ADD_CHANGES = sql(
  "payment_hours_add_changes",
  `with gone as (delete from payment_hour_changes where merchant_id = $1 and hour < $2 returning *)
   insert into payment_hours (${columns("hour")})
   select merchant_id, hour, ${FACTS}, sum(count), sum(amount) from gone
   group by merchant_id, hour, ${FACTS} having sum(count) <> 0 or sum(amount) <> 0
   on conflict (merchant_id, hour, ${FACTS}) do update
     set count = payment_hours.count + excluded.count, amount = payment_hours.amount + excluded.amount`,
);

/** Days whose hours are all added up. */
const ADD_UP_DAYS = sql(
  "payment_days_keep",
  `with made as (
     insert into payment_days (${columns("day")})
     select merchant_id, date_trunc('day', hour, $4), ${FACTS}, sum(count), sum(amount) from payment_hours
     where merchant_id = $1 and hour >= $2 and hour < date_trunc('day', $3::timestamptz, $4)
     group by merchant_id, date_trunc('day', hour, $4), ${FACTS}
   )
   update payment_hours_kept set days_through = date_trunc('day', $3::timestamptz, $4), days_zone = $4
   where merchant_id = $1`,
);

const FORGET_DAYS = sql("payment_days_forget", "delete from payment_days where merchant_id = $1");

const NOTE = sql(
  "payment_hours_note",
  `update payment_hours_kept set through = $2, next = $3, next_from = now() + make_interval(secs => $4)
   where merchant_id = $1`,
);

export async function listTotalsStates(tx: Tx): Promise<readonly TotalsState[]> {
  return tx.rows<TotalsState>(LIST, []);
}

/** Up to when days are made, and in which time zone; null before the first. */
export type KeptDays = { readonly daysThrough: Instant | null; readonly daysZone: TimeZone | null };
export type KeptTotals = KeptDays & {
  readonly through: Instant;
  readonly next: Instant;
  readonly isDue: boolean;
};

/** Undefined when another node holds it. */
export async function lockTotals(tx: Tx, merchantId: Id<"merchant">): Promise<KeptTotals | undefined> {
  await tx.rows(BEGIN, [merchantId]);
  return (await tx.rows<KeptTotals>(LOCK, [merchantId]))[0];
}

/** When the first transaction or refund from these ids on was created. */
export async function firstSince(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactions: string,
  refunds: string,
): Promise<Instant | undefined> {
  const [row] = await tx.rows<{ first: Instant | null }>(FIRST_SINCE, [merchantId, transactions, refunds]);
  return row?.first ?? undefined;
}

export async function addUpRange(
  tx: Tx,
  merchantId: Id<"merchant">,
  {
    from,
    through,
    ids,
  }: { readonly from: Instant; readonly through: Instant; readonly ids: readonly string[] },
): Promise<void> {
  await tx.rows(ADD_UP, [merchantId, at(from), at(through), ...ids]);
}

/** Adds late changes to the totals of their hours, and so of their days. */
export async function addLateChanges(
  tx: Tx,
  merchantId: Id<"merchant">,
  { through }: Pick<KeptTotals, "through">,
): Promise<void> {
  await tx.rows(ADD_CHANGES, [merchantId, at(through)]);
}

/** Makes the days up to here; all of them again if the merchant has moved to another time zone. */
export async function addUpDays(
  tx: Tx,
  merchantId: Id<"merchant">,
  { daysThrough, daysZone }: KeptDays,
  { through, zone }: { readonly through: Instant; readonly zone: TimeZone },
): Promise<void> {
  const hasMoved = daysZone !== zone;
  if (hasMoved) await tx.rows(FORGET_DAYS, [merchantId]);
  const from = daysThrough === null || hasMoved ? "-infinity" : at(daysThrough);
  await tx.rows(ADD_UP_DAYS, [merchantId, from, at(through), zone]);
}

export async function noteTotals(
  tx: Tx,
  merchantId: Id<"merchant">,
  {
    through,
    next,
    waitSeconds,
  }: { readonly through: Instant; readonly next: Instant; readonly waitSeconds: number },
): Promise<void> {
  await tx.rows(NOTE, [merchantId, at(through), at(next), waitSeconds]);
}
