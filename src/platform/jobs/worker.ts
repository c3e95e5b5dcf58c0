import { later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../context.ts";
import type { Chore, JobHandler, JobSpec } from "./job.ts";
import { createLanes } from "./lanes.ts";
import {
  claimDueJobs,
  deleteJobs,
  giveJobsBack,
  type Job,
  postponeByMerchantsClock,
  postponeJob,
} from "./queries.ts";

export type Worker = { readonly wake: () => void; readonly stop: () => Promise<void> };

const POLL_MS = 200;
const BATCH = 32;
/** Longer than any handler takes; a job whose worker died is taken up again after this. */
const LEASE = 60 * SECOND;

/**
 * Runs due jobs until it is stopped. Any number of nodes can do so: a claimed job is invisible to the others. It goes on
 * claiming while slow ones are under way, so that one that waits for a bank delays no other.
 */
export function startWorker(ctx: Context, specs: readonly JobSpec[], chores: readonly Chore[]): Worker {
  const handlers = new Map(specs.map(({ kind, run }) => [kind, run]));
  let stopped = false;
  let wakeUp: () => void = () => {};
  let woken = false;
  let claimed = 0;
  const lastRun = new Map<string, number>();
  const done = new Set<number>();
  const wake = () => {
    woken = true;
    wakeUp();
  };
  /** The database may be away at any moment; then the rest waits for its return. */
  const untilTrouble = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      ctx.log.warn({ error }, "timed work waits for the database");
    }
  };
  const lanes = createLanes(
    (job) =>
      untilTrouble(async () => {
        if (await runJob(ctx, handlers, job)) done.add(job.id);
      }),
    // A full batch: there may be more.
    () => claimed === BATCH && wake(),
  );

  async function pause(): Promise<void> {
    if (woken || stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** All that were done since the last time, in one statement. */
  async function forgetDone(): Promise<void> {
    const ids = [...done];
    if (ids.length === 0) return;
    await deleteJobs(ctx.db, ids);
    for (const id of ids) done.delete(id);
  }

  async function beginDue(): Promise<void> {
    // What is claimed has to begin well within its lease.
    if (!lanes.allBegun()) return;
    const now = ctx.now();
    const jobs = await claimDueJobs(ctx.db, now, later(now, LEASE), BATCH, lanes.crowded());
    claimed = jobs.length;
    lanes.add(jobs);
  }

  async function runChores(): Promise<void> {
    for (const chore of chores) {
      const now = ctx.now();
      if (now - (lastRun.get(chore.name) ?? 0) < chore.everyMs) continue;
      lastRun.set(chore.name, now);
      if ((await chore.run(ctx)) === "more") lastRun.delete(chore.name);
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      woken = false;
      await untilTrouble(async () => {
        await forgetDone();
        await beginDue();
        await runChores();
      });
      await pause();
    }
  }

  const running = loop();
  return {
    wake,
    stop: async () => {
      stopped = true;
      const notBegun = [...lanes.withdraw()];
      wakeUp();
      await running;
      notBegun.push(...lanes.withdraw());
      const ids = notBegun.map(({ id }) => id);
      if (ids.length > 0) await untilTrouble(() => giveJobsBack(ctx.db, ids, ctx.now()));
      await lanes.empty();
      await untilTrouble(forgetDone);
    },
  };
}

/** True when the job is done for good. A job that fails comes back by itself, later each time. */
async function runJob(ctx: Context, handlers: ReadonlyMap<string, JobHandler>, job: Job): Promise<boolean> {
  const handler = handlers.get(job.kind);
  try {
    if (handler === undefined) throw new Error("this version does not know this kind of job");
    const again = await handler(ctx, job);
    if (again === undefined) return true;
    if (typeof again === "number") await postponeJob(ctx.db, job.id, again, 0);
    else await postponeByMerchantsClock(ctx.db, job.id, again.onMerchantsClock, again.clock);
  } catch (error) {
    ctx.log.error(
      { job: job.kind, merchantId: job.merchantId, subjectId: job.subjectId, error },
      "job failed",
    );
    const wait = Math.min(2 ** job.tries * SECOND, LEASE);
    await postponeJob(ctx.db, job.id, later(ctx.now(), wait), job.tries);
  }
  return false;
}
