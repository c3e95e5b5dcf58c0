import { setTimeout as pause } from "node:timers/promises";
import type { Database, Parameter, Statement, Tx } from "./database.ts";
import { type Position, readPrimaryPosition, readReplicaPosition } from "./replica-position.ts";

/** Where read-only work is done: lists, pages of the dashboard, exports. Never what decides about money. */
export type Reads = Tx & {
  readonly health: () => ReplicaHealth | undefined;
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
  readonly replica: Database;
  /** How far the replica may be behind. */
  readonly stalenessMs: number;
  /** Called when the state changes. */
  readonly onChange: (state: ReplicaHealth["state"], error: unknown) => void;
};

/** A replica that is behind or away is tried again after this time. */
const TRIED_AGAIN_MS = 1_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** All work on the primary. */
export function readsOfPrimary(db: Tx): Reads {
  return { ...db, health: () => undefined };
}

/**
 * Reads on a replica, each of which sees everything that was committed before it began, at whichever node: it waits until
 * the replica has replayed the write-ahead log that far. If that takes longer than the replica may be behind, or the replica
 * fails, the primary answers.
 */
export function createReads(primary: Tx, { replica, stalenessMs, onChange }: ReplicaOptions): Reads {
  const answered = { replica: 0, primary: 0 };
  let state: ReplicaHealth["state"] = "current";
  let waitedMs = 0;
  let restsUntil = 0;
  let replayed: Position | undefined;
  const nextPosition = shareNext(() => readPrimaryPosition(primary));

  function become(next: ReplicaHealth["state"], error?: unknown): void {
    if (next !== "current") {
      restsUntil = performance.now() + TRIED_AGAIN_MS;
      replayed = undefined;
    }
    if (next === state) return;
    state = next;
    onChange(next, error);
  }

  async function isCurrent(): Promise<boolean> {
    const begun = performance.now();
    if (begun < restsUntil || ((await primary.isDistributed?.()) ?? false)) return false;
    const wanted = await nextPosition();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (!reaches(replayed, wanted)) replayed = await readReplicaPosition(replica);
      waitedMs = performance.now() - begun;
      if (reaches(replayed, wanted)) {
        become("current");
        return true;
      }
      // Not a replica, or one of a primary that was replaced: its positions mean nothing here.
      if (replayed === undefined || replayed.timeline !== wanted.timeline) {
        become("away", new Error("it is no replica of the primary"));
        return false;
      }
      if (waitedMs >= stalenessMs) {
        become("behind");
        return false;
      }
      await pause(Math.min(pauseMs, stalenessMs - waitedMs));
    }
  }

  async function tryReplica<Row>(
    statement: Statement,
    parameters: readonly Parameter[],
  ): Promise<readonly Row[] | undefined> {
    try {
      return (await isCurrent()) ? await replica.rows<Row>(statement, parameters) : undefined;
    } catch (error) {
      // Also if the primary can't say how far it is: it then fails itself, with the right message.
      become("away", error);
      return undefined;
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
  };
}

function reaches(replayed: Position | undefined, wanted: Position): boolean {
  return replayed !== undefined && replayed.timeline === wanted.timeline && replayed.bytes >= wanted.bytes;
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
