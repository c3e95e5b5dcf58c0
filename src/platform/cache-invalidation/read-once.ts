import type { CacheInvalidation } from "./cache-invalidation.ts";

/** Reads the value of a key once, until the subject changes. A failed read is not kept. */
export function readOnce<Key, Value>(
  { onChange }: Pick<CacheInvalidation, "onChange">,
  subject: string,
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const cache = new Map<Key, Promise<Value>>();
  // What is being read meanwhile may be outdated, and goes too.
  onChange(subject, () => cache.clear());
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const reading = read(key);
    cache.set(key, reading);
    reading.catch(() => cache.delete(key));
    return reading;
  };
}
