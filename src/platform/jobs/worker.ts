import { type Instant, later, SECOND } from "../../kernel/time.ts";
import type { World } from "../world.ts";
import { claimDueJobs, deleteJobs, type Job, postponeJob } from "./queries.ts";

/** Does a job. Gives the moment (real time) to come back when it is not due yet after all; otherwise it is done. */
export type JobHandler = (world: World, job: Job) => Promise<Instant | undefined>;

/**
 * Work by the clock of the house: called about every `everyMs`, on every node, so it must not mind company. It does a
 * portion at a time, and gives `more` to be called again right after the jobs that are due by then.
 */
export type Chore = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (world: World) => Promise<"done" | "more">;
};

export type Worker = { readonly wake: () => void; readonly stop: () => Promise<void> };

const POLL_MS = 200;
const BATCH = 64;
const AT_ONCE = 8;
/** Longer than any handler takes; a job whose worker died is taken up again after this. */
const LEASE = 60 * SECOND;

/** Runs due jobs until it is stopped. Any number of nodes can do so: a claimed job is invisible to the others. */
export function startWorker(
  world: World,
  handlers: Readonly<Record<string, JobHandler>>,
  chores: readonly Chore[],
): Worker {
  let stopped = false;
  let wakeUp: () => void = () => {};
  let woken = false;
  const lastRun = new Map<string, number>();

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

  async function runDue(): Promise<number> {
    const now = world.now();
    const jobs = await claimDueJobs(world.db, now, later(now, LEASE), BATCH);
    const waiting = [...jobs];
    const done: number[] = [];
    const lane = async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        if (await runJob(world, handlers, job)) done.push(job.id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    if (done.length > 0) await deleteJobs(world.db, done);
    return jobs.length;
  }

  async function runChores(): Promise<void> {
    for (const chore of chores) {
      const now = world.now();
      if (now - (lastRun.get(chore.name) ?? 0) < chore.everyMs) continue;
      lastRun.set(chore.name, now);
      if ((await chore.run(world)) === "more") lastRun.delete(chore.name);
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      woken = false;
      let claimed = 0;
      try {
        claimed = await runDue();
        await runChores();
      } catch (error) {
        world.log.warn({ error }, "timed work waits for the database");
      }
      if (claimed < BATCH) await pause();
    }
  }

  const running = loop();
  return {
    wake: () => {
      woken = true;
      wakeUp();
    },
    stop: async () => {
      stopped = true;
      wakeUp();
      await running;
    },
  };
}

/** True when the job is done for good. A job that fails comes back by itself, later each time. */
async function runJob(
  world: World,
  handlers: Readonly<Record<string, JobHandler>>,
  job: Job,
): Promise<boolean> {
  const handler = handlers[job.kind];
  try {
    if (handler === undefined) throw new Error("this version does not know this kind of job");
    const again = await handler(world, job);
    if (again === undefined) return true;
    await postponeJob(world.db, job.id, again, 0);
  } catch (error) {
    world.log.error(
      { job: job.kind, merchantId: job.merchantId, subjectId: job.subjectId, error },
      "job failed",
    );
    const wait = Math.min(2 ** job.tries * SECOND, LEASE);
    await postponeJob(world.db, job.id, later(world.now(), wait), job.tries);
  }
  return false;
}
