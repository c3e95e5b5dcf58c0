import { type Instant, MINUTE } from "../../kernel/time.ts";

/**
 * Unwrapped keys in memory: few, and for a short time. The cache overwrites its bytes when it drops a key, so it returns
 * copies: a key that is in use must not turn into zeros.
 */
const KEYS_AT_MOST = 1_000;
const KEPT_FOR = 5 * MINUTE;

export type KeyCache = {
  /** A copy, for the caller alone. */
  readonly find: (id: string) => Uint8Array | undefined;
  /** The bytes are the cache's from now on. */
  readonly add: (id: string, key: Uint8Array) => void;
};

export function createKeyCache(now: () => Instant): KeyCache {
  const held = new Map<string, { readonly key: Uint8Array; readonly until: number }>();
  let timer: NodeJS.Timeout | undefined;

  function drop(id: string): void {
    held.get(id)?.key.fill(0);
    held.delete(id);
  }

  /** The oldest come first, so that what is past its time is found at the front. */
  function dropOldest(leave: number): void {
    for (const [id, { until }] of held) {
      if (until > now() && held.size <= leave) break;
      drop(id);
    }
  }

  /** Without it, a key that is never requested again would stay while no other is added. */
  function dropInTime(): void {
    const [oldest] = held.values();
    if (timer !== undefined || oldest === undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      dropOldest(KEYS_AT_MOST);
      dropInTime();
    }, oldest.until - now()).unref();
  }

  return {
    find: (id) => {
      const found = held.get(id);
      if (found === undefined) return undefined;
      if (found.until > now()) return Uint8Array.from(found.key);
      drop(id);
      return undefined;
    },
    add: (id, key) => {
      drop(id);
      dropOldest(KEYS_AT_MOST - 1);
      held.set(id, { key, until: now() + KEPT_FOR });
      dropInTime();
    },
  };
}
