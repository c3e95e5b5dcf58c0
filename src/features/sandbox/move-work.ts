import { type Instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { JobSpec } from "../../platform/jobs/job.ts";
import {
  ANY_JOB,
  bringJobsForward,
  changeSubject,
  FIRST_JOB,
  hasJobBefore,
  type JobPlace,
  lockSubject,
} from "../../platform/jobs/moving/queries.ts";
import { insertJob, type Job } from "../../platform/jobs/queries.ts";
import { bringDeliveriesForward, type DeliveryPlace, FIRST_DELIVERY } from "../deliveries/index.ts";
import type { Merchant } from "../merchants/index.ts";

const MOVE_JOB = "sandbox_move_work";

/** Moving a job or a delivery takes about 20 µs. The work of others waits for a step, so the later ones are short. */
const FIRST_PORTION = 5_000;
const PORTION = 1_000;

/** A few seconds: a node that stops waits for a run, and the next one goes on from where it was. */
const STEPS_OF_A_RUN = 60;

/** Moves of one merchant follow one another. */
const WAITS_MS = SECOND / 5;

/** How far the move has come, among jobs and among deliveries. The job's subject holds it between two steps. */
type Move = {
  readonly seconds: number;
  /** What the merchant's clock shows then. */
  readonly movedTo: Instant;
  readonly jobs?: JobPlace;
  readonly deliveries?: DeliveryPlace;
};

/**
 * Moves the merchant's timed work nearer by the seconds by which its clock went ahead. The first portion of jobs and of
 * deliveries moves in the caller's transaction, which holds the merchant's lock; a job moves the others in steps.
 */
export async function moveWork(ctx: Context, tx: Tx, merchant: Merchant, seconds: number): Promise<void> {
  // This move must not bring work past the place that an earlier one has reached.
  const waits = await hasJobBefore(tx, merchant.id, { kind: MOVE_JOB, id: ANY_JOB });
  const start = { seconds, movedTo: clockOf(ctx, merchant), jobs: FIRST_JOB, deliveries: FIRST_DELIVERY };
  const left = waits
    ? start
    : await moveSome(tx, merchant.id, start, { lastId: ANY_JOB, atMost: FIRST_PORTION });
  if (left === undefined) return;
  const subjectId = JSON.stringify(left);
  await insertJob(tx, { kind: MOVE_JOB, merchantId: merchant.id, subjectId, realTime: true }, ctx.now());
}

async function moveSome(
  tx: Tx,
  merchantId: string,
  { seconds, movedTo, ...places }: Move,
  { lastId, atMost }: { readonly lastId: number; readonly atMost: number },
): Promise<Move | undefined> {
  const jobs =
    places.jobs && (await bringJobsForward(tx, merchantId, seconds, { from: places.jobs, lastId, atMost }));
  const deliveries =
    places.deliveries &&
    (await bringDeliveriesForward(tx, merchantId, seconds, { after: places.deliveries, movedTo, atMost }));
  if (jobs === undefined && deliveries === undefined) return undefined;
  return { seconds, movedTo, ...(jobs && { jobs }), ...(deliveries && { deliveries }) };
}

/** One step of a move that has begun. False when nothing is left to move. */
async function step(tx: Tx, job: Job): Promise<boolean> {
  const subject = await lockSubject(tx, job);
  if (subject === undefined) return false;
  const move = JSON.parse(subject) as Move;
  const left = await moveSome(tx, job.merchantId, move, { lastId: job.id, atMost: PORTION });
  const { seconds, movedTo } = move;
  await changeSubject(tx, job, JSON.stringify(left ?? { seconds, movedTo }));
  return left !== undefined;
}

/** Work that was written after the clock was moved, so after this job, stays where it is. */
export const sandboxJobs: readonly JobSpec[] = [
  {
    kind: MOVE_JOB,
    run: async (ctx, job) => {
      if (await hasJobBefore(ctx.db, job.merchantId, job)) return later(ctx.now(), WAITS_MS);
      for (let steps = 0; steps < STEPS_OF_A_RUN; steps += 1) {
        if (!(await ctx.db.transaction((tx) => step(tx, job)))) return undefined;
        ctx.wakeJobs();
      }
      return ctx.now();
    },
  },
];
