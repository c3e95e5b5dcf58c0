import { later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { JobSpec } from "../../platform/jobs/job.ts";
import {
  ANY_JOB,
  bringJobsForward,
  changeSubject,
  FIRST_JOB,
  hasJobBefore,
  insertJob,
  type Job,
  type JobPlace,
  lockSubject,
} from "../../platform/jobs/queries.ts";
import { bringDeliveriesForward, type DeliveryPlace, FIRST_DELIVERY } from "../deliveries/index.ts";

const MOVE_JOB = "sandbox_move_work";

/** Moving a job or a delivery takes about 20 µs: a step stays far under a second. */
const AT_ONCE = 5_000;

/** Moves of one merchant follow one another. */
const WAITS_MS = SECOND / 5;

/** How far the move has come, among jobs and among deliveries. The job's subject holds it between two steps. */
type Move = { readonly seconds: number; readonly jobs?: JobPlace; readonly deliveries?: DeliveryPlace };

/**
 * Moves the merchant's timed work nearer by the seconds by which its clock went ahead. Up to AT_ONCE jobs and deliveries
 * move in the caller's transaction, which holds the merchant's lock; a job moves the others in steps.
 */
export async function moveWork(ctx: Context, tx: Tx, merchantId: string, seconds: number): Promise<void> {
  // This move must not bring work past the place that an earlier one has reached.
  const waits = await hasJobBefore(tx, merchantId, { kind: MOVE_JOB, id: ANY_JOB });
  const start = { seconds, jobs: FIRST_JOB, deliveries: FIRST_DELIVERY };
  const left = waits ? start : await moveSome(tx, merchantId, start, ANY_JOB);
  if (left === undefined) return;
  const job = { kind: MOVE_JOB, merchantId, subjectId: JSON.stringify(left), realTime: true } as const;
  await insertJob(tx, job, ctx.now());
}

async function moveSome(tx: Tx, merchantId: string, move: Move, lastId: number): Promise<Move | undefined> {
  const { seconds } = move;
  const jobs =
    move.jobs &&
    (await bringJobsForward(tx, merchantId, seconds, { from: move.jobs, lastId, atMost: AT_ONCE }));
  const deliveries =
    move.deliveries &&
    (await bringDeliveriesForward(tx, merchantId, seconds, { after: move.deliveries, atMost: AT_ONCE }));
  if (jobs === undefined && deliveries === undefined) return undefined;
  return { seconds, ...(jobs && { jobs }), ...(deliveries && { deliveries }) };
}

/** One step of a move that has begun. False when nothing is left to move. */
async function step(tx: Tx, job: Job): Promise<boolean> {
  const subject = await lockSubject(tx, job);
  if (subject === undefined) return false;
  const left = await moveSome(tx, job.merchantId, JSON.parse(subject) as Move, job.id);
  await changeSubject(tx, job, JSON.stringify(left ?? { seconds: 0 }));
  return left !== undefined;
}

/** Work that was written after the clock was moved, so after this job, stays where it is. */
export const sandboxJobs: readonly JobSpec[] = [
  {
    kind: MOVE_JOB,
    run: async (ctx, job) => {
      if (await hasJobBefore(ctx.db, job.merchantId, job)) return later(ctx.now(), WAITS_MS);
      while (await ctx.db.transaction((tx) => step(tx, job))) ctx.wakeJobs();
      return undefined;
    },
  },
];
