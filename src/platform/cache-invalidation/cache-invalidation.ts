import { setTimeout as pause } from "node:timers/promises";
import type { Database, Tx } from "../db/database.ts";
import { countNodes, insertMark, listVersions } from "./queries.ts";

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

export function createCacheInvalidation(db: Database, onError: (error: unknown) => void): CacheInvalidation {
  const listeners = new Map<string, (() => void)[]>();
  let versions: ReadonlyMap<string, number> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();

  const forget = (subject: string) => {
    for (const listener of listeners.get(subject) ?? []) listener();
  };

  async function poll(): Promise<void> {
    try {
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
      if ((await countNodes(db).catch(() => 0)) > 1) await pause(SPREAD_MS);
    },
    start: again,
    stop: async () => {
      clearTimeout(timer);
      await polling;
      clearTimeout(timer);
    },
  };
}
