import { setTimeout as pause } from "node:timers/promises";
import { randomText } from "../crypto/secrets.ts";
import type { Database, Tx } from "../db/database.ts";
import { countNodes, insertMark, leave, listVersions, writeHeartbeat } from "./queries.ts";

/**
 * Lets nodes cache data that rarely changes: a change is marked in its own transaction, and every node polls the marks
 * several times a second and drops what has changed.
 */
export type CacheInvalidation = {
  readonly mark: (tx: Tx, subject: string) => Promise<void>;
  readonly onChange: (subject: string, forget: () => void) => void;
  /** For the node that made the change: forget at once, not at the next poll. */
  readonly forget: (subject: string) => void;
  /** Waits until other nodes have polled: requests that they get afterwards see the change, unless a node is stalled. */
  readonly spread: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

const POLL_EVERY_MS = 200;
/** The longest wait for a poll, and as long again for the poll itself. */
const SPREAD_MS = 2 * POLL_EVERY_MS;

/** How often a node shows that it runs, and how long the others count on it after the last time. */
const HEARTBEAT_EVERY_MS = 2_000;
const COUNTED_SECONDS = 10;

export function createCacheInvalidation(db: Database, onError: (error: unknown) => void): CacheInvalidation {
  const listeners = new Map<string, (() => void)[]>();
  let versions: ReadonlyMap<string, number> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  const node = randomText(12);
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  const forget = (subject: string) => {
    for (const listener of listeners.get(subject) ?? []) listener();
  };

  async function showThatItRuns(): Promise<void> {
    if (performance.now() - heartbeatAt < HEARTBEAT_EVERY_MS) return;
    await writeHeartbeat(db, node);
    heartbeatAt = performance.now();
  }

  async function poll(): Promise<void> {
    try {
      await showThatItRuns();
      const fresh = await listVersions(db);
      for (const [subject, version] of fresh) if (versions.get(subject) !== version) forget(subject);
      versions = fresh;
    } catch (error) {
      onError(error);
    }
  }

  const again = () => {
    timer = setTimeout(() => {
      polling = poll().then(again);
    }, POLL_EVERY_MS);
  };

  return {
    mark: insertMark,
    onChange: (subject, listener) => listeners.set(subject, [...(listeners.get(subject) ?? []), listener]),
    forget,
    // The change is made already, so failing to count the nodes is no reason to fail.
    spread: async () => {
      if ((await countNodes(db, COUNTED_SECONDS).catch(() => 0)) > 1) await pause(SPREAD_MS);
    },
    start: () => {
      polling = poll().then(again);
    },
    stop: async () => {
      clearTimeout(timer);
      await polling;
      clearTimeout(timer);
      // A node that can't say that it leaves is counted for some seconds more.
      if (heartbeatAt >= 0) await leave(db, node).catch(() => {});
    },
  };
}
