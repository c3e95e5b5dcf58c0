import { sql, type Tx } from "../../db/database.ts";
import type { Job, JobKey } from "../queries.ts";

/** A merchant's jobs, but those that wait for an answer from outside and those after `$4`. A moment as text is exact. */
const LIST_TO_MOVE = sql(
  "job_list_to_move",
  `select id, kind, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"Z"') as due from jobs
   where merchant_id = $1 and (kind, due_at) >= ($2, $3::timestamptz) and id <= $4 and not real_time
   order by kind, due_at limit $5`,
);

// Reckoned in UTC: what depends on the session's time zone is not the same on every server.
const BRING_FORWARD = sql(
  "job_bring_forward",
  `update jobs set due_at = (due_at at time zone 'UTC' - make_interval(secs => $2)) at time zone 'UTC'
   where merchant_id = $1 and id = any ($3::bigint[])`,
);

const IS_ONE_BEFORE = sql(
  "job_is_one_before",
  "select 1 as found from jobs where merchant_id = $1 and kind = $2 and id < $3 limit 1",
);

const LOCK_SUBJECT = sql(
  "job_lock_subject",
  `select subject_id as "subjectId" from jobs where merchant_id = $1 and id = $2 for update`,
);

const CHANGE_SUBJECT = sql(
  "job_change_subject",
  "update jobs set subject_id = $3 where merchant_id = $1 and id = $2",
);

/** A place among a merchant's jobs, by kind and then by due time. */
export type JobPlace = { readonly kind: string; readonly due: string };
export const FIRST_JOB: JobPlace = { kind: "", due: "-infinity" };
export const ANY_JOB = Number.MAX_SAFE_INTEGER;

/**
 * Moves a portion of a merchant's jobs nearer, from that place on and none newer than `lastId`, when the merchant's clock
 * is moved ahead. Returns where the next portion begins; a job that was moved is before that place.
 */
export async function bringJobsForward(
  tx: Tx,
  merchantId: string,
  seconds: number,
  { from, lastId, atMost }: { readonly from: JobPlace; readonly lastId: number; readonly atMost: number },
): Promise<JobPlace | undefined> {
  const place = [merchantId, from.kind, from.due, lastId, atMost];
  const jobs = await tx.rows<JobPlace & Pick<Job, "id">>(LIST_TO_MOVE, place);
  // A job that has another due time by now runs too early, looks at the merchant's clock and waits again.
  await tx.rows(BRING_FORWARD, [merchantId, seconds, jobs.map(({ id }) => id)]);
  const last = jobs.at(-1);
  return last === undefined || jobs.length < atMost ? undefined : { kind: last.kind, due: last.due };
}

/** True when the merchant has a job of that kind that was written before this one. */
export async function hasJobBefore(
  tx: Tx,
  merchantId: string,
  { kind, id }: Pick<Job, "kind" | "id">,
): Promise<boolean> {
  return (await tx.rows(IS_ONE_BEFORE, [merchantId, kind, id])).length > 0;
}

/** How far a job has come that works in steps; undefined when another run of it has ended it. */
export async function lockSubject(tx: Tx, { merchantId, id }: JobKey): Promise<string | undefined> {
  return (await tx.rows<Pick<Job, "subjectId">>(LOCK_SUBJECT, [merchantId, id]))[0]?.subjectId;
}

export async function changeSubject(tx: Tx, { merchantId, id }: JobKey, subjectId: string): Promise<void> {
  await tx.rows(CHANGE_SUBJECT, [merchantId, id, subjectId]);
}
