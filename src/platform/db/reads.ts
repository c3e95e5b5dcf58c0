import { setTimeout as pause } from "node:timers/promises";
import {
  type Database,
  isLostRace,
  type Parameter,
  type Statement,
  sqlState,
  TOO_SLOW,
  type Tx,
} from "./database.ts";
import { type Position, reaches, readPrimaryPosition, readReplicaPosition } from "./replica-position.ts";

/** Where read-only work is done: lists, pages of the dashboard, exports. Never what decides about money. */
export type Reads = Tx & {
  readonly health: () => ReplicaHealth | undefined;
  readonly close: () => Promise<void>;
};

export type ReplicaHealth = {
  /** What the last attempt to use the replica came to. */
  readonly state: "current" | "behind" | "away";
  /** How long the last read that used the replica, or tried to, waited for it. */
  readonly waitedMs: number;
  /** Statements that the replica and, in its place, the primary has answered. */
  readonly answered: { readonly replica: number; readonly primary: number };
};

export type ReplicaOptions = {
  /** Opens the replica, with what is called when an idle connection of it breaks. */
  readonly open: (onIdleError: (error: Error) => void) => Database;
  /** How far the replica may be behind. */
  readonly stalenessMs: number;
  /** Called when the state changes. */
  readonly onChange: (state: ReplicaHealth["state"], error: unknown) => void;
};

/** A replica that is behind or away is left alone for this time, and for twice as long after every vain attempt. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 16_000;
/** A replica has this time for an answer, however little it may be behind. */
const SHORTEST_MS = 100;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** All work on the primary. */
export function readsOfPrimary(db: Tx): Reads {
  return { ...db, health: () => undefined, close: async () => {} };
}

/**
 * Reads on a replica, each of which sees everything that was committed before it began, at whichever node: it waits until
 * the replica has replayed the write-ahead log that far. If that takes longer than the replica may be behind, or the replica
 * fails, the primary answers. A replica that failed is tried by one read at a time; the others do not wait for it.
 */
export function createReads(primary: Tx, { open, stalenessMs, onChange }: ReplicaOptions): Reads {
  const answered = { replica: 0, primary: 0 };
  let state: ReplicaHealth["state"] = "current";
  let waitedMs = 0;
  let restMs = FIRST_REST_MS;
  let restsUntil = 0;
  let isTried = false;
  let replayed: Position | undefined;
  let replayedAt = 0;
  let asking: Promise<void> | undefined;
  const nextPosition = shareNext(() => readPrimaryPosition(primary));
  // The server may have crashed, and the next connection may find it, or another one, further behind.
  const replica = open(() => {
    replayed = undefined;
  });

  function become(next: ReplicaHealth["state"], error?: unknown): void {
    const now = performance.now();
    if (next === "current") restMs = FIRST_REST_MS;
    else {
      replayed = undefined;
      // Reads that fail together count once.
      if (now >= restsUntil) {
        restsUntil = now + restMs;
        restMs = Math.min(2 * restMs, LONGEST_REST_MS);
      }
    }
    if (next === state) return;
    state = next;
    onChange(next, error);
  }

  /** Shared by all that ask at the same time: a replica that does not answer keeps one connection busy. */
  function askReplica(): Promise<void> {
    asking ??= readReplicaPosition(replica)
      .then((position) => {
        replayed = position;
        replayedAt = performance.now();
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  async function isCurrent(): Promise<boolean> {
    const wanted = await nextPosition();
    const begun = performance.now();
    const since = () => performance.now() - begun;
    let hasAnswered = false;
    // A replica has to show from time to time that it is still there, also while nothing is written.
    if (begun - replayedAt >= stalenessMs) replayed = undefined;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (!reaches(replayed, wanted))
        hasAnswered =
          (await isDone(askReplica(), Math.max(stalenessMs, SHORTEST_MS) - since())) || hasAnswered;
      waitedMs = since();
      if (reaches(replayed, wanted)) return true;
      // Not a replica, or one of a primary that was replaced: its positions mean nothing here.
      if (hasAnswered && replayed?.timeline !== wanted.timeline) {
        become("away", new Error("it is no replica of the primary"));
        return false;
      }
      if (waitedMs >= stalenessMs) {
        if (hasAnswered) become("behind");
        else become("away", new Error(`no answer within ${Math.round(waitedMs)} ms`));
        return false;
      }
      await pause(Math.min(pauseMs, stalenessMs - waitedMs));
    }
  }

  async function tryReplica<Row>(
    statement: Statement,
    parameters: readonly Parameter[],
  ): Promise<readonly Row[] | undefined> {
    const isTry = state !== "current";
    if (isTry && (isTried || performance.now() < restsUntil)) return undefined;
    if (isTry) isTried = true;
    try {
      if (((await primary.isDistributed?.()) ?? false) || !(await isCurrent())) return undefined;
      const rows = await replica.rows<Row>(statement, parameters);
      if (isTry) become("current");
      return rows;
    } catch (error) {
      // A list that takes too long says nothing about the replica, and other merchants' lists go on there.
      if (isLostRace(error) || (!isTry && sqlState(error) === TOO_SLOW)) return undefined;
      // Also if the primary can't say how far it is: it then fails itself, with the right message.
      become("away", error);
      return undefined;
    } finally {
      if (isTry) isTried = false;
    }
  }

  return {
    ...primary,
    rows: async <Row>(statement: Statement, parameters: readonly Parameter[]) => {
      const rows = await tryReplica<Row>(statement, parameters);
      answered[rows === undefined ? "primary" : "replica"] += 1;
      return rows ?? primary.rows<Row>(statement, parameters);
    },
    health: () => ({ state, waitedMs, answered: { ...answered } }),
    close: replica.close,
  };
}

/** Calls at the same time share one read, which begins after all of them. */
function shareNext<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Result> | undefined;
  return () => {
    waiting ??= running.then(() => {
      waiting = undefined;
      const next = read();
      running = next.catch(() => {});
      return next;
    });
    return waiting;
  };
}

/** False when the work takes longer than that. Throws what the work throws until then. */
async function isDone(work: Promise<void>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    // A process that was busy first reads what has arrived meanwhile.
    timer = setTimeout(() => setImmediate(resolve, false), Math.max(0, withinMs));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
