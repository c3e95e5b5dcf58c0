import { setTimeout as pause } from "node:timers/promises";
import type { Database, Tx } from "../db/database.ts";
import { countNodes, insertMark, listVersions } from "./queries.ts";

/**
 * Lets nodes keep rarely changed things in memory: whoever changes one marks it in the same transaction, and every node
 * looks at the marks several times a second and forgets what has changed.
 */
export type CacheInvalidation = {
  readonly mark: (tx: Tx, subject: string) => Promise<void>;
  readonly onChange: (subject: string, forget: () => void) => void;
  /** For the node that made the change: forget at once, not at the next look. */
  readonly forget: (subject: string) => void;
  /** Gives other nodes the time to look: what they are asked afterwards goes by the change, unless they are held up. */
  readonly spread: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 200;
/** The longest wait for a look, and as long again for the look itself. */
const SPREAD_MS = 2 * LOOK_EVERY_MS;

export function createCacheInvalidation(db: Database, onError: (error: unknown) => void): CacheInvalidation {
  const listeners = new Map<string, (() => void)[]>();
  let versions: ReadonlyMap<string, number> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  const forget = (subject: string) => {
    for (const listener of listeners.get(subject) ?? []) listener();
  };

  async function look(): Promise<void> {
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
      looking = look().then(again);
    }, LOOK_EVERY_MS);
  };

  return {
    mark: insertMark,
    onChange: (subject, listener) => listeners.set(subject, [...(listeners.get(subject) ?? []), listener]),
    forget,
    // The change is made already, so not knowing of others is no reason to fail.
    spread: async () => {
      if ((await countNodes(db).catch(() => 0)) > 1) await pause(SPREAD_MS);
    },
    start: again,
    stop: async () => {
      clearTimeout(timer);
      await looking;
      clearTimeout(timer);
    },
  };
}
