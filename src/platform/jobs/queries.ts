import { type Instant, later, MINUTE } from "../../kernel/time.ts";
import { at, type Cell, sql, type Tx } from "../db/database.ts";
import type { Overdue } from "../metrics/metrics.ts";

/** A piece of timed work: do `kind` to `subjectId`. */
export type Job = {
  readonly id: number;
  readonly kind: string;
  readonly merchantId: string;
  readonly subjectId: string;
  readonly tries: number;
};

/** Work to be written down. */
export type NewJob = Omit<Job, "id" | "tries"> & {
  /** It waits for an answer from outside, so the merchant's sandbox clock does not bring it forward. */
  readonly realTime?: true;
};

/** Columns of the jobs table, in the order of `jobValues`. For statements that write a job beside a resource. */
export const JOB_COLUMNS = "kind, merchant_id, subject_id, due_at, real_time";

const INSERT = sql("job_insert", `insert into jobs (${JOB_COLUMNS}) values ($1, $2, $3, $4, $5)`);

/** Claims due jobs: no other worker sees them until the lease is over. */
const CLAIM = sql(
  "job_claim",
  `update jobs set due_at = $2, tries = tries + 1
   where id in (
     select id from jobs where due_at <= $1 and kind <> all ($4::text[]) order by due_at limit $3
     for update skip locked)
   returning id, kind, merchant_id as "merchantId", subject_id as "subjectId", tries`,
);

const DELETE = sql("job_delete", "delete from jobs where id = any ($1::bigint[])");

const POSTPONE = sql("job_postpone", "update jobs set due_at = $2, tries = $3 where id = $1");

const GIVE_BACK = sql(
  "job_give_back",
  "update jobs set due_at = $2, tries = tries - 1 where id = any ($1::bigint[])",
);

/** Where merchants' clocks are stored: how many milliseconds each is ahead. The feature that owns the table says so. */
export type ClockColumn = { readonly table: string; readonly id: string; readonly aheadMs: string };

/**
 * The lock waits for a clock that is being moved, so that its new state counts. Moving a clock locks the merchant's row
 * before any job's, too.
 */
const postponeByClock = ({ table, id, aheadMs }: ClockColumn) =>
  sql(
    "job_postpone_by_clock",
    `with clock as (
       select ${aheadMs} as ahead from ${table}
       where ${id} = (select merchant_id from jobs where id = $1) for share
     )
     update jobs set due_at = $2::timestamptz - make_interval(secs => clock.ahead / 1000.0), tries = 0
     from clock where id = $1`,
  );

const BRING_FORWARD = sql(
  "job_bring_forward",
  "update jobs set due_at = due_at - make_interval(secs => $2) where merchant_id = $1 and not real_time",
);

/** Work to be done at a moment of real time. Written in the transaction that makes it necessary. */
export async function insertJob(tx: Tx, job: NewJob, due: Instant): Promise<void> {
  await tx.rows(INSERT, jobValues(job, due));
}

export function jobValues(job: NewJob, due: Instant): readonly Cell[] {
  return [job.kind, job.merchantId, job.subjectId, at(due), job.realTime === true];
}

export async function claimDueJobs(
  tx: Tx,
  now: Instant,
  leasedUntil: Instant,
  atMost: number,
  exceptKinds: readonly string[] = [],
): Promise<readonly Job[]> {
  return tx.rows<Job>(CLAIM, [at(now), at(leasedUntil), atMost, exceptKinds]);
}

/** Ends the lease of jobs that have not begun, as if they had never been claimed. */
export async function giveJobsBack(tx: Tx, ids: readonly number[], now: Instant): Promise<void> {
  await tx.rows(GIVE_BACK, [ids, at(now)]);
}

export async function deleteJobs(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.rows(DELETE, [ids]);
}

export async function postponeJob(tx: Tx, id: number, until: Instant, tries: number): Promise<void> {
  await tx.rows(POSTPONE, [id, at(until), tries]);
}

/** Until a moment on the merchant's clock, however far ahead that clock is by then. */
export async function postponeByMerchantsClock(
  tx: Tx,
  id: number,
  until: Instant,
  clock: ClockColumn,
): Promise<void> {
  await tx.rows(postponeByClock(clock), [id, at(until)]);
}

/** Moves a merchant's work nearer, when the merchant's clock is moved ahead. */
export async function bringJobsForward(tx: Tx, merchantId: string, seconds: number): Promise<void> {
  await tx.rows(BRING_FORWARD, [merchantId, seconds]);
}

const OVERDUE = sql(
  "job_overdue",
  `select (select count(*) from (select from jobs where due_at < $1 limit $2) as counted) as count,
     (select extract(epoch from now() - min(due_at)) from jobs where due_at < $1)::float8 as "oldestSeconds"`,
);

/** Work that should have been done a minute ago: how much, counted no further than this, and how late the oldest is. */
export const OVERDUE_COUNTED = 10_000;

export async function readOverdue(tx: Tx, now: Instant): Promise<Overdue> {
  const [row] = await tx.rows<{ count: number; oldestSeconds: number | null }>(OVERDUE, [
    at(later(now, -MINUTE)),
    OVERDUE_COUNTED,
  ]);
  return { count: row?.count ?? 0, oldestSeconds: row?.oldestSeconds ?? 0 };
}
