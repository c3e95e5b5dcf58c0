import { type Instant, instant, MINUTE, SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { updateLastUses } from "./queries.ts";

/** Uses of this long are written together. */
const WRITTEN_AFTER = SECOND;
/** Above this many keys the node forgets which minutes it has written; it then writes some again. */
const REMEMBERED = 10_000;

export type KeyUses = {
  readonly note: (keyId: string) => void;
  /** Writes what is left. */
  readonly close: () => Promise<void>;
};

/**
 * Keeps the minute of each key's last use. A request only notes it in memory; the node writes each key at most once a
 * minute, all keys of a second in one statement. A failed write is repeated with the next one.
 */
export function createKeyUses(ctx: Pick<Context, "db" | "log" | "now">): KeyUses {
  const written = new Map<string, Instant>();
  let waiting = new Map<string, Instant>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    timer = undefined;
    const uses = waiting;
    waiting = new Map();
    if (uses.size === 0) return;
    try {
      await updateLastUses(ctx.db, [...uses]);
      if (written.size > REMEMBERED) written.clear();
      for (const [keyId, minute] of uses) written.set(keyId, minute);
    } catch (error) {
      ctx.log.warn({ error }, "last use of API keys not written; it is written with the next use");
    }
  }

  return {
    note: (keyId) => {
      const minute = instant(ctx.now() - (ctx.now() % MINUTE));
      if ((written.get(keyId) ?? 0) >= minute || (waiting.get(keyId) ?? 0) >= minute) return;
      waiting.set(keyId, minute);
      timer ??= setTimeout(() => {
        writing = write();
      }, WRITTEN_AFTER).unref();
    },
    close: async () => {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
