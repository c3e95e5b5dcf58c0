import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { COUNTRIES, COUNTRY_CODES, type TimeZone } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import { CURRENCIES, type Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { Line, Payout } from "./payout.ts";

const COLUMNS = `id, merchant_id as "merchantId", currency, day::text as day, amount, lines, payments, refunds, returns,
  fees, created_at as "createdAt"`;

const LOCK_PAYING = sql(
  "payout_lock_paying",
  "select pg_advisory_xact_lock(hashtextextended('payouts of ' || $1, 0))",
);

/**
 * One statement, so that it sums up and assigns the same lines: a line that is written meanwhile is in neither. Lines
 * that add up to 0 or less stay unassigned.
 */
const INSERT = sql(
  "payout_insert",
  `with held as (
     select count(*) as lines, sum(amount)::bigint as amount,
       coalesce(sum(amount) filter (where kind = 'payment'), 0)::bigint as payments,
       coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunds,
       coalesce(sum(amount) filter (where kind = 'return'), 0)::bigint as returns,
       coalesce(sum(amount) filter (where kind = 'fee'), 0)::bigint as fees
     from payout_lines where merchant_id = $1 and currency = $2 and payout_id is null and at < $3
   ), made as (
     insert into payouts
       (merchant_id, id, currency, day, amount, lines, payments, refunds, returns, fees, created_at)
     select $1, $4::text, $2, $5::date, amount, lines, payments, refunds, returns, fees, $6::timestamptz from held where amount > 0
     returning *
   ), taken as (
     update payout_lines set payout_id = $4
     where merchant_id = $1 and currency = $2 and payout_id is null and at < $3 and exists (select from made)
   )
   select ${COLUMNS} from made`,
);

const FIND = sql("payout_find", `select ${COLUMNS} from payouts where merchant_id = $1 and id = $2`);

const LIST_LINES = sql(
  "payout_list_lines",
  `select kind, subject_id as "subjectId", transaction_id as "transactionId", amount, at from payout_lines
   where merchant_id = $1 and payout_id = $2 order by at, subject_id, kind limit $3`,
);

const START_OF_DAY = sql(
  "payout_start_of_day",
  `select date_trunc('day', $1::timestamptz at time zone $2) at time zone $2 as start`,
);

const ZONES = COUNTRY_CODES.map((code) => `when '${code}' then '${COUNTRIES[code].zone}'`).join(" ");

/** Merchants with unpaid lines of a past day. By currency, so that the index finds the oldest line. */
const LIST_DUE = sql(
  "payout_list_due",
  `select m.id from merchants m
   cross join lateral (select case m.country ${ZONES} end as zone) z
   where exists (select from payout_lines l where l.merchant_id = m.id and l.payout_id is null
     and l.currency = any ('{${CURRENCIES.join()}}') and l.at < date_trunc('day', ($1::timestamptz + make_interval(secs => m.clock_offset_ms / 1000.0)) at time zone z.zone)
       at time zone z.zone)`,
);

/** Blocks other payouts of this merchant until the transaction ends. */
export async function lockPaying(tx: Tx, merchantId: Id<"merchant">): Promise<void> {
  await tx.rows(LOCK_PAYING, [merchantId]);
}

/** Writes a payout of all lines from before that moment and assigns them to it; undefined if none is due. */
export async function insertPayout(
  tx: Tx,
  head: Pick<Payout, "id" | "merchantId" | "currency" | "day" | "createdAt">,
  before: Instant,
): Promise<Payout | undefined> {
  const { merchantId, id, currency, day, createdAt } = head;
  const values = [merchantId, currency, at(before), id, day, at(createdAt)];
  const [payout] = await tx.rows<Payout>(INSERT, values);
  return payout;
}

export async function findPayout(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"payout">,
): Promise<Payout | undefined> {
  const [payout] = await tx.rows<Payout>(FIND, [merchantId, id]);
  return payout;
}

/** The lines of a payout, oldest first. */
export async function listLines(
  tx: Tx,
  { merchantId, id }: Pick<Payout, "merchantId" | "id">,
  limit: number,
): Promise<readonly Line[]> {
  return tx.rows<Line>(LIST_LINES, [merchantId, id, limit]);
}

export async function listPayouts(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  filters: { readonly currency?: string | undefined },
): Promise<readonly Payout[]> {
  return listRows<Payout>(tx, { name: "payout", table: "payouts", columns: COLUMNS }, merchantId, {
    page,
    filters,
  });
}

export async function startOfDay(tx: Tx, now: Instant, zone: TimeZone): Promise<Instant> {
  return onlyRow(await tx.rows<{ start: Instant }>(START_OF_DAY, [at(now), zone])).start;
}

/** `now` is real time; each merchant's clock is its own. */
export async function listMerchantsDue(tx: Tx, now: Instant): Promise<readonly Id<"merchant">[]> {
  return (await tx.rows<{ id: Id<"merchant"> }>(LIST_DUE, [at(now)])).map(({ id }) => id);
}

/** Totals from the records: money in, money out, and money held. All are 0 or more. */
export type RecordTotals = {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly payments: number;
  readonly refunds: number;
  readonly returns: number;
  readonly fees: number;
  readonly paidOut: number;
  readonly held: number;
};

/** Reads the records themselves, not the lines that were derived from them. */
const SUM_RECORDS = sql(
  "payout_sum_records",
  `with moved as (
     select merchant_id, currency, captured as payments, 0::bigint as refunds,
       case when code = '${OUTCOMES.returned}' then captured else 0 end as returns, fee as fees, 0::bigint as paid, 0::bigint as held
     from transactions where captured > 0
     union all select merchant_id, currency, 0, amount, 0, 0, 0, 0 from refunds where status = 'approved'
     union all select merchant_id, currency, 0, 0, 0, 0, amount, 0 from payouts
     union all select merchant_id, currency, 0, 0, 0, 0, 0, amount from payout_lines where payout_id is null
   )
   select merchant_id as "merchantId", currency, sum(payments)::bigint as payments, sum(refunds)::bigint as refunds,
     sum(returns)::bigint as returns, sum(fees)::bigint as fees, sum(paid)::bigint as "paidOut", sum(held)::bigint as held
   from moved group by merchant_id, currency order by merchant_id, currency`,
);

const FIND_FAULTS = sql(
  "payout_find_faults",
  `with recorded as (
     select merchant_id, 'payment' as kind, id as subject_id, currency, captured as amount
     from transactions where captured > 0
     union all select merchant_id, 'return', id, currency, -captured from transactions
       where code = '${OUTCOMES.returned}' and captured > 0
     union all select merchant_id, 'fee', id, currency, -fee from transactions where fee > 0
     union all select merchant_id, 'refund', id, currency, -amount from refunds where status = 'approved'
   )
   select coalesce(m.merchant_id, l.merchant_id) as "merchantId", coalesce(m.subject_id, l.subject_id) as "subjectId",
     case when l.merchant_id is null then 'money in the records has no line'
       when m.merchant_id is null then 'a line has no money in the records'
       else 'a line differs from the recorded amount' end as about
   from recorded m full join payout_lines l using (merchant_id, kind, subject_id)
   where l.amount is distinct from m.amount or l.currency is distinct from m.currency
   union all
   select p.merchant_id, p.id, 'a payout is not the sum of its lines' from payouts p left join lateral (
     select count(*) as lines, coalesce(sum(amount), 0) as amount,
       coalesce(sum(amount) filter (where kind = 'payment'), 0) as payments,
       coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunds,
       coalesce(sum(amount) filter (where kind = 'return'), 0) as returns,
       coalesce(sum(amount) filter (where kind = 'fee'), 0) as fees,
       coalesce(bool_and(currency = p.currency), false) as pure
     from payout_lines l where l.merchant_id = p.merchant_id and l.payout_id = p.id) s on true
   where not s.pure or (s.lines, s.amount, s.payments, s.refunds, s.returns, s.fees)
     is distinct from (p.lines, p.amount, p.payments, p.refunds, p.returns, p.fees)
   order by 1, 2`,
);

export async function sumRecords(tx: Tx): Promise<readonly RecordTotals[]> {
  return tx.rows<RecordTotals>(SUM_RECORDS, []);
}

/** Every difference between records, lines and payouts. */
export async function findFaults(
  tx: Tx,
): Promise<readonly { readonly merchantId: string; readonly subjectId: string; readonly about: string }[]> {
  return tx.rows(FIND_FAULTS, []);
}
