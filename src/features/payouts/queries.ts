import type { TimeZone } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { BuildPhase, ExportedLine, Line, Payout } from "./payout.ts";

const COLUMNS = `id, merchant_id as "merchantId", currency, day::text as day, amount, lines, payments, refunds, returns,
  fees, disputes, created_at as "createdAt"`;
/** The same of a table with the alias `p`. */
const ALIASED_COLUMNS = `p.id, p.merchant_id as "merchantId", p.currency, p.day::text as day, p.amount, p.lines, p.payments,
  p.refunds, p.returns, p.fees, p.disputes, p.created_at as "createdAt"`;

/** A payout that is being built. */
export type PayoutBuild = Totals & {
  readonly merchantId: Id<"merchant">;
  readonly currency: Currency;
  readonly cutOff: Instant;
  readonly phase: BuildPhase;
  readonly lastAt: Instant | null;
  readonly lastSubjectId: string | null;
  readonly lastKind: string | null;
  readonly payoutId: Id<"payout"> | null;
};

type Totals = Pick<Payout, "amount" | "lines" | "payments" | "refunds" | "returns" | "fees" | "disputes">;

const TOTALS = "amount, lines, payments, refunds, returns, fees, disputes";
const BUILD_COLUMNS = `merchant_id as "merchantId", currency, cut_off as "cutOff", phase, last_at as "lastAt",
  last_subject_id as "lastSubjectId", last_kind as "lastKind", payout_id as "payoutId", ${TOTALS}`;

/** A build is begun only where a line is held. The order keeps the planner on the index of unpaid lines. */
const BEGIN_BUILD = sql(
  "payout_begin_build",
  `insert into payout_builds (merchant_id, currency, cut_off, phase)
   select $1, $2, $3, 'counting'
   where (select at from payout_lines where merchant_id = $1 and currency = $2 and payout_id is null and at < $3
     order by at, subject_id, kind limit 1) is not null
   on conflict do nothing
   returning 1`,
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
       coalesce(sum(amount) filter (where kind = 'fee'), 0)::bigint as fees,
       coalesce(sum(amount) filter (where kind in ('dispute', 'dispute_won')), 0)::bigint as disputes`;

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

/** Takes the lines off the totals of held lines, where they are in them. By a range, not by a join: a join took over a minute for a merchant that the statistics did not know yet. */
const TAKE_LINES = sql(
  "payout_take_lines",
  `with next as (
     select at, subject_id, kind from payout_lines
     where merchant_id = $1 and currency = $2 and payout_id is null and at < $3
     order by at, subject_id, kind limit $5
   ), edge as (
     select at, subject_id, kind from next order by at desc, subject_id desc, kind desc limit 1
   ), taken as (
     update payout_lines l set payout_id = $4
     where l.merchant_id = $1 and l.currency = $2 and l.payout_id is null and l.at < $3
       and (l.at, l.subject_id, l.kind)
         <= ((select at from edge), (select subject_id from edge), (select kind from edge))
     returning l.at, l.subject_id, l.kind, l.amount
   ), sums as (select ${SUMS} from taken
   ), off as (
     update payout_held h set lines = h.lines - added.lines, amount = h.amount - added.amount
     from (
       select count(*) as lines, coalesce(sum(taken.amount), 0)::bigint as amount from taken, payout_held held
       where held.merchant_id = $1 and held.currency = $2
         and (taken.at, taken.subject_id, taken.kind) <= (held.last_at, held.last_subject_id, held.last_kind)) as added
     where h.merchant_id = $1 and h.currency = $2 and added.lines > 0
   )
   update payout_builds b set amount = b.amount + sums.amount, lines = b.lines + sums.lines,
     payments = b.payments + sums.payments, refunds = b.refunds + sums.refunds, returns = b.returns + sums.returns,
     fees = b.fees + sums.fees, disputes = b.disputes + sums.disputes
   from sums where b.merchant_id = $1 and b.currency = $2
   returning sums.lines as taken, b.amount`,
);

const INSERT = sql(
  "payout_insert",
  `insert into payouts as p (merchant_id, id, currency, day, ${TOTALS}, created_at)
   select merchant_id, payout_id, currency, $3, ${TOTALS}, $4 from payout_builds
   where merchant_id = $1 and currency = $2
   returning ${ALIASED_COLUMNS}`,
);

const EXTEND_BUILD = sql(
  "payout_extend_build",
  "update payout_builds set cut_off = $3 where merchant_id = $1 and currency = $2",
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

/** After a line, in the same order. The exact time is text: the gateway's own times have no microseconds. */
const LIST_LINES_AFTER = sql(
  "payout_list_lines_after",
  `select kind, subject_id as "subjectId", transaction_id as "transactionId", amount, at, at::text as "exactAt",
     coalesce(
       (select reference from refunds where kind = 'refund' and merchant_id = $1 and id = subject_id),
       (select reference from transactions where merchant_id = $1 and id = transaction_id), '') as reference,
     coalesce((select reference from transactions where merchant_id = $1 and id = transaction_id), '') as "orderReference"
   from (
     select * from payout_lines
     where merchant_id = $1 and payout_id = $2 and (at, subject_id, kind) > ($3::timestamptz, $4, $5)
     order by at, subject_id, kind limit $6) as lines
   order by at, subject_id, kind`,
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
  {
    fanOut: "sees that every merchant has its job",
    distributed: `insert into jobs (kind, merchant_id, subject_id, due_at)
      select '${PAYOUT_JOB}', m.id, m.id, $1
      from (select id from merchants except select merchant_id from jobs where kind = '${PAYOUT_JOB}') m`,
  },
);

/**
 * The build of a merchant's payout, begun if there is none and a line is held. Other nodes wait for it. One that ends while
 * this waits for it leaves no row to lock: then it is begun again.
 */
export async function lockBuild(
  tx: Tx,
  merchantId: Id<"merchant">,
  currency: Currency,
  cutOff: Instant,
): Promise<PayoutBuild | undefined> {
  const begin = () => tx.rows(BEGIN_BUILD, [merchantId, currency, at(cutOff)]);
  const lock = async () => (await tx.rows<PayoutBuild>(LOCK_BUILD, [merchantId, currency]))[0];
  await begin();
  return (await lock()) ?? ((await begin()).length > 0 ? lock() : undefined);
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

/** The build goes on with the lines up to a later cut-off. */
export async function extendBuild(tx: Tx, build: PayoutBuild, cutOff: Instant): Promise<void> {
  await tx.rows(EXTEND_BUILD, [build.merchantId, build.currency, at(cutOff)]);
}

/** Gives the next lines to the payout. The totals of held lines must be locked. `amount` is the sum of all lines that it has by then. */
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

const LINES_AT_ONCE = 2_000;

/** All lines of a payout, oldest first, a portion at a time. */
export async function* walkPayoutLines(
  tx: Tx,
  { merchantId, id }: Pick<Payout, "merchantId" | "id">,
): AsyncGenerator<readonly ExportedLine[]> {
  let after: readonly string[] = ["-infinity", "", ""];
  for (;;) {
    const lines = await tx.rows<ExportedLine & { readonly exactAt: string }>(LIST_LINES_AFTER, [
      merchantId,
      id,
      ...after,
      LINES_AT_ONCE,
    ]);
    if (lines.length > 0) yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < LINES_AT_ONCE) return;
    after = [last.exactAt, last.subjectId, last.kind];
  }
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
