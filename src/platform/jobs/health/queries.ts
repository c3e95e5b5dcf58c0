import { type Instant, later, MINUTE } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../db/database.ts";
import type { JobHealth } from "../../metrics/metrics.ts";
import { type Job, type JobKey, mayRunUntil, runJobsNow } from "../queries.ts";

const OF_OPERATOR = "the operator sees the work of all merchants";

/** Kinds that have jobs, known to this version or not: one index probe per kind. */
const LIST_KINDS = sql(
  "job_list_kinds",
  `with recursive next (kind) as (
     (select kind from jobs order by kind limit 1)
     union all
     select (select j.kind from jobs j where j.kind > next.kind order by j.kind limit 1)
     from next where next.kind is not null
   )
   select kind from next where kind is not null`,
  { fanOut: OF_OPERATOR, distributed: false },
);

const HEALTH = sql(
  "job_health",
  `select
     (select count(*) from (select from unnest($3::text[]) k (kind) cross join lateral (
        select from jobs where kind = k.kind and due_at < $1 limit $2) j limit $2) as overdue) as overdue,
     (select extract(epoch from $4::timestamptz - min(j.due_at)) from unnest($3::text[]) k (kind) cross join lateral (
        select due_at from jobs where kind = k.kind and due_at < $1 order by due_at limit 1) j)::float8 as "oldestSeconds",
     (select count(*) from (select 1 from jobs where needs_attention_at is not null limit $2) as attention) as attention`,
  {
    fanOut: OF_OPERATOR,
    // In the order of an index that only distributed databases have (`jobs_by_due`), so it needs no kinds.
    distributed: `select
       (select count(*) from (
          select due_at from jobs where due_at < $1 and $3::text[] is not null order by due_at limit $2) as overdue)
         as overdue,
       (select extract(epoch from $4::timestamptz - min(due_at)) from (
          select due_at from jobs where due_at < $1 order by due_at limit 1) as oldest)::float8 as "oldestSeconds",
       (select count(*) from (select 1 from jobs where needs_attention_at is not null limit $2) as attention)
         as attention`,
  },
);

const COUNT_FAILING = sql(
  "job_count_failing",
  `select kind, count(*) as count from (select kind from jobs where problem is not null limit $1) as failing
   group by kind order by kind`,
  { fanOut: OF_OPERATOR },
);

/** Counts go no further than this. */
export const JOBS_COUNTED = 10_000;

export async function readJobHealth(tx: Tx, now: Instant): Promise<JobHealth> {
  const isDistributed = (await tx.isDistributed?.()) ?? false;
  const kinds = isDistributed
    ? []
    : (await tx.rows<{ kind: string }>(LIST_KINDS, [])).map(({ kind }) => kind);
  const [row] = await tx.rows<HealthRow>(HEALTH, [at(later(now, -MINUTE)), JOBS_COUNTED, kinds, at(now)]);
  const failing = await tx.rows<{ kind: string; count: number }>(COUNT_FAILING, [JOBS_COUNTED]);
  return {
    overdue: { count: row?.overdue ?? 0, oldestSeconds: row?.oldestSeconds ?? 0 },
    failing: failing.reduce((sum, { count }) => sum + count, 0),
    failingByKind: new Map(failing.map(({ kind, count }) => [kind, count])),
    needingAttention: row?.attention ?? 0,
  };
}

type HealthRow = {
  readonly overdue: number;
  readonly oldestSeconds: number | null;
  readonly attention: number;
};

/** A job that failed again and again. */
export type JobInNeed = Job & { readonly problem: string; readonly since: Instant; readonly dueAt: Instant };

const IN_NEED = `id, kind, merchant_id as "merchantId", subject_id as "subjectId", tries, problem,
  needs_attention_at as since, due_at as "dueAt"`;

const LIST_IN_NEED = sql(
  "job_list_in_need",
  `select ${IN_NEED} from jobs where needs_attention_at is not null order by merchant_id, id limit $1`,
  { fanOut: OF_OPERATOR },
);

const LIST_IN_NEED_OF_MERCHANT = sql(
  "job_list_in_need_of_merchant",
  `select ${IN_NEED} from jobs where merchant_id = $1 and needs_attention_at is not null order by id limit $2`,
);

/** The next jobs that need attention and wait for their turn: all of them, or one. */
const LIST_TO_RETRY = sql(
  "job_list_to_retry",
  `select id, merchant_id as "merchantId" from jobs
   where needs_attention_at is not null and due_at > $1 and (merchant_id, id) > ($2, $3)
     and ($4::bigint is null or id = $4) order by merchant_id, id limit $5`,
  { fanOut: "an operator's command, which names a job by its id alone, or all jobs" },
);

/** Jobs that need attention, of one merchant or of all. */
export async function listJobsInNeed(
  tx: Tx,
  atMost: number,
  merchantId?: string,
): Promise<readonly JobInNeed[]> {
  return merchantId === undefined
    ? tx.rows<JobInNeed>(LIST_IN_NEED, [atMost])
    : tx.rows<JobInNeed>(LIST_IN_NEED_OF_MERCHANT, [merchantId, atMost]);
}

/** Others wait for jobs while they are changed: no statement changes more. */
const RETRIED_AT_ONCE = 1_000;

/** Runs jobs that need attention now instead of at their next turn, in over a minute: one of them, or all. Returns how many. */
export async function retryJobsNow(tx: Tx, clock: () => Instant, id?: number): Promise<number> {
  let [count, last]: [number, JobKey] = [0, { merchantId: "", id: 0 }];
  for (;;) {
    const now = clock();
    const place = [at(mayRunUntil(now)), last.merchantId, last.id, id ?? null, RETRIED_AT_ONCE];
    const jobs = await tx.rows<JobKey>(LIST_TO_RETRY, place);
    count += await runJobsNow(tx, jobs, now);
    if (jobs.length < RETRIED_AT_ONCE) return count;
    last = jobs.at(-1) ?? last;
  }
}
