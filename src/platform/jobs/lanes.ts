import type { Job } from "./queries.ts";

/** How many jobs begin at once. */
const LANES = 8;
/** A job that takes longer than this waits for an outside system, and frees its lane for the next one. */
const LANE_MS = 250;
/** So many of one kind may be under way before no more of it is claimed: a silent bank keeps no other work waiting. */
const MANY_OF_A_KIND = 32;

/** The jobs of one worker that were claimed: some wait for a lane, some are under way. */
export type Lanes = {
  readonly add: (jobs: readonly Job[]) => void;
  readonly allBegun: () => boolean;
  /** Kinds of which enough are under way. */
  readonly crowded: () => readonly string[];
  /** Takes back those that have not begun. */
  readonly withdraw: () => readonly Job[];
  /** Fulfilled when all that have begun are over. */
  readonly empty: () => Promise<void>;
};

/** `onAllBegun` is called when the last waiting job gets a lane. */
export function createLanes(run: (job: Job) => Promise<void>, onAllBegun: () => void): Lanes {
  const waiting: Job[] = [];
  const underWay = new Map<Job, Promise<void>>();
  let free = LANES;

  function begin(job: Job): void {
    let inLane = true;
    const leaveLane = () => {
      if (inLane) free += 1;
      inLane = false;
      fill();
    };
    free -= 1;
    const timer = setTimeout(leaveLane, LANE_MS);
    const over = run(job).finally(() => {
      clearTimeout(timer);
      underWay.delete(job);
      leaveLane();
    });
    underWay.set(job, over);
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
    add: (jobs) => {
      waiting.push(...jobs);
      fill();
    },
    allBegun: () => waiting.length === 0,
    crowded: () => {
      const counts = new Map<string, number>();
      for (const { kind } of underWay.keys()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return [...counts].flatMap(([kind, count]) => (count >= MANY_OF_A_KIND ? [kind] : []));
    },
    withdraw: () => waiting.splice(0),
    empty: async () => {
      await Promise.all(underWay.values());
    },
  };
}
