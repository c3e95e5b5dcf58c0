import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { TimeZone } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { Line, Payout } from "./payout.ts";

const COLUMNS = `id, merchant_id as "merchantId", currency, day::text as day, amount, lines, payments, refunds, returns,
  fees, created_at as "createdAt"`;

/** A payout that is being built. */
export type PayoutBuild = Totals & {
  readonly merchantId: Id<"merchant">;
  readonly currency: Currency;
  readonly cutOff: Instant;
  readonly phase: "counting" | "taking";
  readonly lastAt: Instant | null;
  readonly lastSubjectId: string | null;
  readonly lastKind: string | null;
  readonly payoutId: Id<"payout"> | null;
};

type Totals = Pick<Payout, "amount" | "lines" | "payments" | "refunds" | "returns" | "fees">;

const TOTALS = "amount, lines, payments, refunds, returns, fees";
const BUILD_COLUMNS = `merchant_id as "merchantId", currency, cut_off as "cutOff", phase, last_at as "lastAt",
  last_subject_id as "lastSubjectId", last_kind as "lastKind", payout_id as "payoutId", ${TOTALS}`;

/** A build is begun only where a line is held. The order keeps the planner on the index of unpaid lines. */
const BEGIN_BUILD = sql(
  "payout_begin_build",
  `insert into payout_builds (merchant_id, currency, cut_off, phase)
   select $1, $2, $3, 'counting'
   where (select at from payout_lines where merchant_id = $1 and currency = $2 and payout_id is null and at < $3
     order by at, subject_id, kind limit 1) is not null
   on conflict do nothing`,
);

const LOCK_BUILD = sql(
  "payout_lock_build",
  `select ${BUILD_COLUMNS} from payout_builds where merchant_id = $1 and currency = $2 for update`,
);

/** Reading a line takes a microsecond or two, writing one about fifty: both steps take a fraction of a second. */
const COUNTED_AT_ONCE = 50_000;
const TAKEN_AT_ONCE = 4_000;

const SUMS = `count(*)::int as lines, coalesce(sum(amount), 0)::bigint as amount,
       coalesce(sum(amount) filter (where kind = 'payment'), 0)::bigint as payments,
       coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunds,
       coalesce(sum(amount) filter (where kind = 'return'), 0)::bigint as returns,
       coalesce(sum(amount) filter (where kind = 'fee'), 0)::bigint as fees`;

/** Adds the next lines up and moves the build's position behind them. */
const COUNT_LINES = sql(
  "payout_count_lines",
  `with next as (
     select at, subject_id, kind, amount from payout_lines
     where merchant_id = $1 and currency = $2 and payout_id is null and at < $3
       and (at, subject_id, kind) > ($4::timestamptz, $5::text, $6::text)
     order by at, subject_id, kind limit $7
   ), counted as (
     select count(*)::int as lines, coalesce(sum(amount), 0)::bigint as amount from next
   ), last as (
     select at, subject_id, kind from next order by at desc, subject_id desc, kind desc limit 1
   ), moved as (
     update payout_builds b set amount = b.amount + counted.amount, last_at = last.at, last_subject_id = last.subject_id,
       last_kind = last.kind
     from counted, last where b.merchant_id = $1 and b.currency = $2
   )
   select lines, amount from counted`,
);

/** From here on the payout's own lines are added up, from nothing. */
const BEGIN_TAKING = sql(
  "payout_begin_taking",
  `update payout_builds set phase = 'taking', payout_id = $3, amount = 0
   where merchant_id = $1 and currency = $2`,
);

const TAKE_LINES = sql(
  "payout_take_lines",
  `with next as (
     select kind, subject_id from payout_lines
     where merchant_id = $1 and currency = $2 and payout_id is null and at < $3
     order by at, subject_id, kind limit $5
   ), taken as (
     update payout_lines l set payout_id = $4 from next
     where l.merchant_id = $1 and l.kind = next.kind and l.subject_id = next.subject_id
     returning l.kind, l.amount
   ), sums as (select ${SUMS} from taken)
   update payout_builds b set amount = b.amount + sums.amount, lines = b.lines + sums.lines,
     payments = b.payments + sums.payments, refunds = b.refunds + sums.refunds, returns = b.returns + sums.returns,
     fees = b.fees + sums.fees
   from sums where b.merchant_id = $1 and b.currency = $2
   returning sums.lines as taken, b.amount`,
);

const INSERT = sql(
  "payout_insert",
  `insert into payouts (merchant_id, id, currency, day, ${TOTALS}, created_at)
   select merchant_id, payout_id, currency, $3, ${TOTALS}, $4 from payout_builds
   where merchant_id = $1 and currency = $2
   returning ${COLUMNS}`,
);

const DELETE_BUILD = sql(
  "payout_delete_build",
  "delete from payout_builds where merchant_id = $1 and currency = $2",
);

const FIND = sql("payout_find", `select ${COLUMNS} from payouts where merchant_id = $1 and id = $2`);

const LIST_LINES = sql(
  "payout_list_lines",
  `select kind, subject_id as "subjectId", transaction_id as "transactionId", amount, at from payout_lines
   where merchant_id = $1 and payout_id = $2 order by at, subject_id, kind limit $3`,
);

const READ_DAY = sql(
  "payout_read_day",
  `select day at time zone $2 as start, (day + interval '1 day') at time zone $2 as end
   from date_trunc('day', $1::timestamptz at time zone $2) as day`,
);

/** A trigger writes the job of each new merchant under this kind. */
export const PAYOUT_JOB = "payout_run";

const INSERT_MISSING_JOBS = sql(
  "payout_insert_missing_jobs",
  `insert into jobs (kind, merchant_id, subject_id, due_at)
   select '${PAYOUT_JOB}', m.id, m.id, $1 from merchants m
   where not exists (select from jobs j where j.merchant_id = m.id and j.kind = '${PAYOUT_JOB}')`,
);

/** The build of a merchant's payout, begun if there is none and a line is held. Other nodes wait for it. */
export async function lockBuild(
  tx: Tx,
  merchantId: Id<"merchant">,
  currency: Currency,
  cutOff: Instant,
): Promise<PayoutBuild | undefined> {
  await tx.rows(BEGIN_BUILD, [merchantId, currency, at(cutOff)]);
  const [build] = await tx.rows<PayoutBuild>(LOCK_BUILD, [merchantId, currency]);
  return build;
}

type Progress = { readonly isComplete: boolean; readonly amount: number };

/** Adds up the next lines. `amount` is the sum of all lines so far. */
export async function countLines(tx: Tx, build: PayoutBuild): Promise<Progress> {
  const { merchantId, currency, cutOff, lastAt, lastSubjectId, lastKind } = build;
  const [counted] = await tx.rows<Pick<Totals, "lines" | "amount">>(COUNT_LINES, [
    merchantId,
    currency,
    at(cutOff),
    lastAt === null ? "-infinity" : at(lastAt),
    lastSubjectId ?? "",
    lastKind ?? "",
    COUNTED_AT_ONCE,
  ]);
  const { lines, amount } = counted ?? { lines: 0, amount: 0 };
  return { isComplete: lines < COUNTED_AT_ONCE, amount: build.amount + amount };
}

export async function beginTaking(tx: Tx, build: PayoutBuild, payoutId: Id<"payout">): Promise<void> {
  await tx.rows(BEGIN_TAKING, [build.merchantId, build.currency, payoutId]);
}

/** Gives the next lines to the payout. `amount` is the sum of all lines that it has by then. */
export async function takeLines(tx: Tx, build: PayoutBuild): Promise<Progress> {
  const { merchantId, currency, cutOff, payoutId } = build;
  const row = onlyRow(
    await tx.rows<{ taken: number; amount: number }>(TAKE_LINES, [
      merchantId,
      currency,
      at(cutOff),
      payoutId,
      TAKEN_AT_ONCE,
    ]),
  );
  return { isComplete: row.taken < TAKEN_AT_ONCE, amount: row.amount };
}

/** Writes the payout of a build that has all its lines. */
export async function insertPayout(
  tx: Tx,
  { merchantId, currency }: PayoutBuild,
  { day, createdAt }: Pick<Payout, "day" | "createdAt">,
): Promise<Payout> {
  return onlyRow(await tx.rows<Payout>(INSERT, [merchantId, currency, day, at(createdAt)]));
}

export async function deleteBuild(tx: Tx, { merchantId, currency }: PayoutBuild): Promise<void> {
  await tx.rows(DELETE_BUILD, [merchantId, currency]);
}

/** When the merchant's day of that moment began, and when it ends. */
export async function readDay(
  tx: Tx,
  moment: Instant,
  zone: TimeZone,
): Promise<{ readonly start: Instant; readonly end: Instant }> {
  return onlyRow(await tx.rows<{ start: Instant; end: Instant }>(READ_DAY, [at(moment), zone]));
}

export async function insertMissingJobs(tx: Tx, now: Instant): Promise<void> {
  await tx.rows(INSERT_MISSING_JOBS, [at(now)]);
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

/** What the records say that moved, and where it is: amounts above nought. */
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
