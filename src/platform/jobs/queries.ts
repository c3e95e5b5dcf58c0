import { type Instant, later, SECOND } from "../../kernel/time.ts";
import { byMerchant, settleByMerchant } from "../db/by-merchant.ts";
import { at, type Cell, onlyRow, sql, type Tx } from "../db/database.ts";
import { ALL_MERCHANTS } from "../db/distribution.ts";
import { namesOf } from "../db/json-rows.ts";

/** A piece of timed work: do `kind` to `subjectId`. */
export type Job = {
  readonly id: number;
  readonly kind: string;
  readonly merchantId: string;
  readonly subjectId: string;
  readonly tries: number;
};

/** Another node runs a job whose worker died after this, and has time to finish it within a minute. */
export const LEASE = 45 * SECOND;

/** A statement may come so much later than the moment that it was given. */
const ON_THE_WAY = 15 * SECOND;

/** A job that is due before this moment may be running: a claimed job is due when its lease ends. */
export function mayRunUntil(now: Instant): Instant {
  return later(now, LEASE + ON_THE_WAY);
}

/** Work to be written down. */
export type NewJob = Omit<Job, "id" | "tries"> & {
  /** It waits for an answer from outside, so the merchant's sandbox clock does not bring it forward. */
  readonly realTime?: true;
};

/** Columns of the jobs table, in the order of `jobValues`. For statements that write a job beside a resource. */
export const JOB_ROW = {
  kind: "text",
  merchant_id: "text",
  subject_id: "text",
  due_at: "timestamptz",
  real_time: "boolean",
} as const;
export const JOB_COLUMNS = namesOf(JOB_ROW);

const INSERT = sql(
  "job_insert",
  `insert into jobs (${JOB_COLUMNS}) values ($1, $2, $3, $4, $5) returning id`,
);

const INSERT_FAILED = sql(
  "job_insert_failed",
  `insert into jobs (${JOB_COLUMNS}, tries, problem, needs_attention_at)
   values ($1, $2, $3, $4, $5, $6, $7, case when $8 then $9::timestamptz end)`,
);

/** Of each kind the jobs that are due, oldest first; the first of every kind come before the second of any. */
const LIST_DUE = sql(
  "job_list_due",
  `select j.id, k.kind, j.merchant_id as "merchantId" from unnest($2::text[]) as k (kind)
   cross join lateral (
     select id, merchant_id, due_at, row_number() over () as place
     from (select id, merchant_id, due_at from jobs where kind = k.kind and due_at <= $1 order by due_at limit $3) d
   ) j
   order by j.place, j.due_at limit $3`,
  {
    fanOut: "a worker serves all merchants",
    // In the order of an index that only distributed databases have (`jobs_by_due`).
    distributed: `select id, kind, merchant_id as "merchantId" from jobs
      where kind = any ($2::text[]) and due_at <= $1 order by due_at limit $3`,
  },
);

/** The next merchants that have jobs, due or not. One index probe per merchant, however many jobs it has. */
const LIST_MERCHANTS = sql(
  "job_list_merchants",
  `with recursive next (merchant_id) as (
     (select merchant_id from jobs where merchant_id > $1 order by merchant_id limit 1)
     union all
     select (select j.merchant_id from jobs j where j.merchant_id > next.merchant_id order by j.merchant_id limit 1)
     from next where next.merchant_id is not null
   )
   select merchant_id as "merchantId" from next where merchant_id is not null limit $2`,
  {
    fanOut: "every merchant gets its turn",
    // Those without jobs, too. They are few: every merchant has the job of its payouts.
    distributed: `select ${ALL_MERCHANTS.id} as "merchantId" from ${ALL_MERCHANTS.table} where ${ALL_MERCHANTS.id} > $1
      order by ${ALL_MERCHANTS.id} limit $2`,
  },
);

/** A few due jobs of each of these merchants and kinds, in the order of the merchants. */
const listDueOf = (merchant: string) =>
  `select j.id, p.kind, p.merchant_id as "merchantId"
   from unnest($2::text[], $3::text[]) with ordinality as p (merchant_id, kind, place)
   cross join lateral (
     select id, due_at from jobs
     where merchant_id = ${merchant} and kind = p.kind and due_at <= $1 order by due_at limit $4
   ) j
   order by p.place, j.due_at`;

const LIST_DUE_BY_MERCHANT = sql("job_list_due_by_merchant", listDueOf("p.merchant_id"), {
  distributed: listDueOf("($2::text[])[1]"),
});

/** Where jobs of many merchants are named: each id, and whose it is. On one server the id alone finds the row. */
const THESE = "id = any ($1::bigint[]) and cardinality($2::text[]) > 0";
const THESE_OF_ONE = "merchant_id = ($2::text[])[1] and id = any ($1::bigint[])";

const claim = (which: string) =>
  `update jobs set due_at = $4, tries = tries + 1 where ${which}
   returning id, kind, merchant_id as "merchantId", subject_id as "subjectId", tries`;

/**
 * Leases these jobs: no other node sees them until the lease ends. As an array the locked ids are found once, whatever the
 * planner believes: as a subquery they were found again for each row of a table that was last analysed while it was empty.
 */
const CLAIM = sql(
  "job_claim",
  claim(`id = any (array(select id from jobs where ${THESE} and due_at <= $3 for update skip locked))`),
  {
    distributed: claim(`merchant_id = ($2::text[])[1] and id in (
      select id from jobs where ${THESE_OF_ONE} and due_at <= $3 for update skip locked)`),
  },
);

const renew = (ofOne: string) =>
  `update jobs set due_at = $4 from unnest($1::bigint[], $3::timestamptz[]) as held (id, until)
   where ${ofOne}jobs.id = held.id and jobs.due_at = held.until and cardinality($2::text[]) > 0`;

/** A job that has its next run on record, or that another node has claimed, is due at another moment than the lease's end. */
const RENEW = sql("job_renew", renew(""), { distributed: renew("merchant_id = ($2::text[])[1] and ") });

const runNow = (these: string) =>
  `update jobs set due_at = $3 where ${these} and needs_attention_at is not null and due_at > $4 returning id`;

const RUN_NOW = sql("job_run_now", runNow(THESE), { distributed: runNow(THESE_OF_ONE) });

const DELETE = sql("job_delete", `delete from jobs where ${THESE}`, {
  distributed: `delete from jobs where ${THESE_OF_ONE}`,
});

const POSTPONE = sql(
  "job_postpone",
  `update jobs set due_at = $3, tries = 0, needs_attention_at = null, problem = null
   where merchant_id = $1 and id = $2`,
);

const RETRY = sql(
  "job_retry",
  `update jobs set due_at = $3, problem = $4,
     needs_attention_at = case when $5 then coalesce(needs_attention_at, $6::timestamptz) end
   where merchant_id = $1 and id = $2`,
);

const giveBack = (these: string) => `update jobs set due_at = $3, tries = tries - 1 where ${these}`;

const GIVE_BACK = sql("job_give_back", giveBack(THESE), { distributed: giveBack(THESE_OF_ONE) });

/** Where merchants' clocks are stored: how many milliseconds each is ahead. The feature that owns the table says so. */
export type ClockColumn = { readonly table: string; readonly id: string; readonly aheadMs: string };

/**
 * The lock waits for a clock that is being moved, so that its new state counts. Moving a clock locks the merchant's row
 * before any job's, too.
 */
const postponeByClock = ({ table, id, aheadMs }: ClockColumn) =>
  sql(
    "job_postpone_by_clock",
    `with clock as (select ${aheadMs} as ahead from ${table} where ${id} = $1 for share)
     update jobs set due_at = ($3::timestamptz at time zone 'UTC' - make_interval(secs => clock.ahead / 1000.0))
       at time zone 'UTC', tries = 0, needs_attention_at = null, problem = null
     from clock where merchant_id = $1 and id = $2`,
  );

/** Work to be done at a moment of real time. Written in the transaction that makes it necessary. Returns the job's id. */
export async function insertJob(tx: Tx, job: NewJob, due: Instant): Promise<number> {
  return onlyRow(await tx.rows<Pick<Job, "id">>(INSERT, jobValues(job, due))).id;
}

const HAS_JOB_AT = sql(
  "job_find_at",
  "select from jobs where merchant_id = $1 and kind = $2 and due_at = $3 and subject_id = $4 limit 1",
);

/** Whether there is such a job for that very moment. */
export async function hasJobAt(tx: Tx, job: NewJob, due: Instant): Promise<boolean> {
  return (await tx.rows(HAS_JOB_AT, [job.merchantId, job.kind, at(due), job.subjectId])).length > 0;
}

export function jobValues(job: NewJob, due: Instant): readonly Cell[] {
  return [job.kind, job.merchantId, job.subjectId, at(due), job.realTime === true];
}

/** A job that could be claimed. */
export type Candidate = Pick<Job, "id" | "kind" | "merchantId">;

export async function listDue(
  tx: Tx,
  now: Instant,
  kinds: readonly string[],
  atMost: number,
): Promise<readonly Candidate[]> {
  return tx.rows<Candidate>(LIST_DUE, [at(now), kinds, atMost]);
}

export async function listMerchants(tx: Tx, after: string, atMost: number): Promise<readonly string[]> {
  const rows = await tx.rows<{ merchantId: string }>(LIST_MERCHANTS, [after, atMost]);
  return rows.map(({ merchantId }) => merchantId);
}

/** How many jobs of one merchant and kind a fair turn takes. */
const IN_ONE_TURN = 2;

export async function listDueByMerchant(
  tx: Tx,
  now: Instant,
  pairs: readonly { readonly kind: string; readonly merchantId: string }[],
): Promise<readonly Candidate[]> {
  return byMerchant(tx, pairs, (some) => {
    const merchants = some.map(({ merchantId }) => merchantId);
    const kinds = some.map(({ kind }) => kind);
    return tx.rows<Candidate>(LIST_DUE_BY_MERCHANT, [at(now), merchants, kinds, IN_ONE_TURN]);
  });
}

/** A job, and whose it is. */
export type JobKey = Pick<Job, "id" | "merchantId">;

const idsOf = (jobs: readonly JobKey[]) => [
  jobs.map(({ id }) => id),
  jobs.map(({ merchantId }) => merchantId),
];

/** Claims those of the jobs that are still due and that no other node is claiming. */
export async function claimJobs(
  tx: Tx,
  jobs: readonly JobKey[],
  now: Instant,
  leasedUntil: Instant,
): Promise<readonly Job[]> {
  return byMerchant(tx, jobs, (some) => tx.rows<Job>(CLAIM, [...idsOf(some), at(now), at(leasedUntil)]));
}

/** A job that this node runs, and the end of its lease. */
export type HeldJob = JobKey & { readonly leasedUntil: Instant };

/** Moves the end of these leases, where they still stand. Returns those whose server is away. */
export async function renewLeases<Held extends HeldJob>(
  tx: Tx,
  held: readonly Held[],
  leasedUntil: Instant,
): Promise<readonly Held[]> {
  const { left } = await settleByMerchant(tx, held, (some) =>
    tx.rows(RENEW, [...idsOf(some), some.map((one) => at(one.leasedUntil)), at(leasedUntil)]),
  );
  return left;
}

/** Ends the lease of jobs that have not begun, as if they had never been claimed. */
export async function giveJobsBack(tx: Tx, jobs: readonly JobKey[], now: Instant): Promise<void> {
  await byMerchant(tx, jobs, (some) => tx.rows(GIVE_BACK, [...idsOf(some), at(now)]));
}

/** Brings those of the jobs to this moment that still need attention and wait: none that runs. Returns how many. */
export async function runJobsNow(tx: Tx, jobs: readonly JobKey[], now: Instant): Promise<number> {
  const moments = [at(now), at(mayRunUntil(now))];
  return (await byMerchant(tx, jobs, (some) => tx.rows(RUN_NOW, [...idsOf(some), ...moments]))).length;
}

/** Returns those whose server is away. */
export async function deleteJobs<Deleted extends JobKey>(
  tx: Tx,
  jobs: readonly Deleted[],
): Promise<readonly Deleted[]> {
  return (await settleByMerchant(tx, jobs, (some) => tx.rows(DELETE, idsOf(some)))).left;
}

/** Runs the job again at that moment of real time. It did not fail. */
export async function postponeJob(tx: Tx, { merchantId, id }: JobKey, until: Instant): Promise<void> {
  await tx.rows(POSTPONE, [merchantId, id, at(until)]);
}

/** When a job runs again, and why it failed. */
type Failure = { readonly at: Instant; readonly problem: string; readonly needsAttention: boolean };

/** Writes a job whose work has failed before. */
export async function insertFailedJob(
  tx: Tx,
  job: NewJob,
  failure: Failure & { readonly tries: number },
  now: Instant,
): Promise<void> {
  const { problem, needsAttention, tries } = failure;
  await tx.rows(INSERT_FAILED, [...jobValues(job, failure.at), tries, problem, needsAttention, at(now)]);
}

/** Runs a job that failed again at that moment. `problem` says why it failed. */
export async function retryJob(
  tx: Tx,
  { merchantId, id }: JobKey,
  retry: Failure,
  now: Instant,
): Promise<void> {
  await tx.rows(RETRY, [merchantId, id, at(retry.at), retry.problem, retry.needsAttention, at(now)]);
}

/** Until a moment on the merchant's clock, however far ahead that clock is by then. */
export async function postponeByMerchantsClock(
  tx: Tx,
  { merchantId, id }: JobKey,
  until: Instant,
  clock: ClockColumn,
): Promise<void> {
  await tx.rows(postponeByClock(clock), [merchantId, id, at(until)]);
}
