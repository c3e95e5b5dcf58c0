import type { InFlight } from "./claim.ts";
import type { Job } from "./queries.ts";

/** How many jobs begin at once. */
const LANES = 8;
/** A job that takes longer than this leaves its lane to the next one. */
const LANE_MS = 250;
/** So does one whose bank has not answered within this: 8 silent banks let 320 other jobs begin in a second, not 32. */
const CALL_MS = 25;

/** Runs a job, which calls `onOutsideCall` when it begins to wait for a bank. */
type Run = (job: Job, onOutsideCall: () => void) => Promise<void>;

/** The jobs that this node has claimed: some wait for a lane, some run. */
export type Lanes = InFlight & {
  readonly add: (jobs: readonly Job[]) => void;
  readonly allBegun: () => boolean;
  /** Removes and returns those that have not begun. */
  readonly withdraw: () => readonly Job[];
  /** Fulfilled when all that have begun are over. */
  readonly empty: () => Promise<void>;
};

/** Calls `onAllBegun` when the last waiting job gets a lane. */
export function createLanes(run: Run, onAllBegun: () => void): Lanes {
  const waiting: Job[] = [];
  const running = new Map<Job, Promise<void>>();
  const counts = new Map<string, number>();
  let free = LANES;

  function count({ kind, merchantId }: Job, change: 1 | -1): void {
    const pair = pairOf(kind, merchantId);
    const now = (counts.get(pair) ?? 0) + change;
    if (now === 0) counts.delete(pair);
    else counts.set(pair, now);
  }

  function begin(job: Job): void {
    let inLane = true;
    const leaveLane = () => {
      if (inLane) free += 1;
      inLane = false;
      fill();
    };
    free -= 1;
    let timer = setTimeout(leaveLane, LANE_MS);
    let hasCalled = false;
    const onOutsideCall = () => {
      // Only the first call: a job with many quick ones leaves its lane, too.
      if (hasCalled || !inLane) return;
      hasCalled = true;
      clearTimeout(timer);
      timer = setTimeout(leaveLane, CALL_MS);
    };
    const over = run(job, onOutsideCall).finally(() => {
      clearTimeout(timer);
      running.delete(job);
      count(job, -1);
      leaveLane();
    });
    running.set(job, over);
  }

  function fill(): void {
    while (free > 0) {
      const job = waiting.shift();
      if (job === undefined) return;
      begin(job);
      if (waiting.length === 0) onAllBegun();
    }
  }

  return {
    total: () => waiting.length + running.size,
    ofMerchant: (kind, merchantId) => counts.get(pairOf(kind, merchantId)) ?? 0,
    add: (jobs) => {
      for (const job of jobs) count(job, 1);
      waiting.push(...jobs);
      fill();
    },
    allBegun: () => waiting.length === 0,
    withdraw: () => {
      const withdrawn = waiting.splice(0);
      for (const job of withdrawn) count(job, -1);
      return withdrawn;
    },
    empty: async () => {
      await Promise.all(running.values());
    },
  };
}

function pairOf(kind: string, merchantId: string): string {
  return `${kind} ${merchantId}`;
}
