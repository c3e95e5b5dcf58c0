import { type Instant, later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { createOutages } from "../db/outages.ts";
import { startChores } from "./chores.ts";
import { createClaimer } from "./claim.ts";
import type { Chore, JobSpec } from "./job.ts";
import { createLanes } from "./lanes.ts";
import { deleteJobs, giveJobsBack, type Job, LEASE, renewLeases } from "./queries.ts";
import { runJob } from "./run-job.ts";

export type Worker = { readonly wake: () => void; readonly stop: () => Promise<void> };

const POLL_MS = 200;
/**
 * A lease with less than this left is renewed while its job runs: some wait for an acquirer for minutes. A worker that stops
 * renews no more, and its process ends sooner than this.
 */
const RENEW_BELOW = 30 * SECOND;

/**
 * Runs due jobs and chores until it is stopped. Any number of nodes can do so: other nodes don't see a claimed job. It
 * goes on claiming while slow jobs run, so that one that waits for a bank delays no other.
 */
export function startWorker(ctx: Context, specs: readonly JobSpec[], chores: readonly Chore[]): Worker {
  const handlers = new Map(specs.map(({ kind, run }) => [kind, run]));
  const done = new Set<Job>();
  const leases = new Map<Job, Instant>();
  const pauses = createPauses();
  const db: Tx = {
    ...ctx.db,
    outages: createOutages(ctx, "jobs of the merchants on a database server that is away wait for it"),
  };
  let stopped = false;
  let hasMore = false;

  /** The database may be away at any moment; then the rest waits for its return. */
  const tolerateOutage = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      ctx.log.warn({ error }, "jobs wait for the database");
    }
  };
  const run = async (job: Job, onOutsideCall: () => void) => {
    const handler = handlers.get(job.kind);
    if (handler !== undefined && (await runJob({ ...ctx, onOutsideCall }, handler, job))) done.add(job);
  };
  const lanes = createLanes(
    (job, onOutsideCall) => tolerateOutage(() => run(job, onOutsideCall)).finally(() => leases.delete(job)),
    () => hasMore && pauses.wake(),
  );
  const claim = createClaimer([...handlers.keys()], lanes);

  /** All that ended since the last time, in one statement. */
  async function deleteDone(): Promise<void> {
    const jobs = [...done];
    if (jobs.length === 0) return;
    const left = new Set(await deleteJobs(db, jobs));
    for (const job of jobs) if (!left.has(job)) done.delete(job);
  }

  /** Before each claim, so that this node never claims a job that it is running. */
  async function renewEnding(): Promise<void> {
    const now = ctx.now();
    const ending = [...leases].filter(([, until]) => until < later(now, RENEW_BELOW));
    if (ending.length === 0) return;
    const renewed = later(now, LEASE);
    const held = ending.map(([job, leasedUntil]) => ({ ...job, job, leasedUntil }));
    const left = new Set((await renewLeases(db, held, renewed)).map(({ job }) => job));
    for (const [job] of ending) if (leases.has(job) && !left.has(job)) leases.set(job, renewed);
  }

  async function beginDue(): Promise<void> {
    // A claimed job has to begin well within its lease.
    if (!lanes.allBegun()) return;
    const now = ctx.now();
    const leasedUntil = later(now, LEASE);
    const claimed = await claim(db, now, leasedUntil);
    hasMore = claimed.hasMore;
    for (const job of claimed.jobs) leases.set(job, leasedUntil);
    lanes.add(claimed.jobs);
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      pauses.begin();
      await tolerateOutage(async () => {
        await deleteDone();
        await renewEnding();
        await beginDue();
      });
      await pauses.wait(POLL_MS);
    }
  }

  const running = loop();
  const choring = startChores(ctx, chores);
  return {
    wake: pauses.wake,
    stop: async () => {
      stopped = true;
      const notBegun = [...lanes.withdraw()];
      pauses.wake();
      await running;
      notBegun.push(...lanes.withdraw());
      if (notBegun.length > 0) await tolerateOutage(() => giveJobsBack(db, notBegun, ctx.now()));
      await Promise.all([lanes.empty(), choring.stop()]);
      await tolerateOutage(deleteDone);
    },
  };
}

/** Waits that a wake-up ends, also one that came since `begin`. */
function createPauses() {
  let isWoken = false;
  let end: () => void = () => {};
  return {
    begin: () => {
      isWoken = false;
    },
    wake: () => {
      isWoken = true;
      end();
    },
    wait: async (ms: number) => {
      if (isWoken) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
