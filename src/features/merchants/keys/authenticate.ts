import { SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, sameBytes } from "../../../platform/crypto/secrets.ts";
import type { Caller } from "../caller.ts";
import { MERCHANTS } from "./create-key.ts";
import { findCaller } from "./queries.ts";

/** The upper bound of a cached caller's age. Usually cache invalidation drops it earlier. */
const CACHED_FOR = 3 * SECOND;
const CACHE_SIZE = 10_000;

type CachedCaller = { readonly caller: Caller | undefined; readonly until: number };

/** Finds the caller of an API key, from a cache while nothing has changed. It caches unknown keys, too. */
export function createAuthenticator(ctx: Context): (apiKey: string) => Promise<Caller | undefined> {
  const cache = new Map<string, CachedCaller>();
  let changes = 0;
  ctx.cacheInvalidation.onChange(MERCHANTS, () => {
    changes += 1;
    cache.clear();
  });

  return async (apiKey) => {
    const hash = hashSecret(apiKey);
    const name = Buffer.from(hash).toString("base64");
    const cached = cache.get(name);
    if (cached !== undefined && cached.until > ctx.now()) return cached.caller;
    const changesBefore = changes;
    const caller = await readCaller(ctx, hash);
    if (cache.size >= CACHE_SIZE) cache.clear();
    // A caller that was read during a change may be outdated.
    if (changes === changesBefore) cache.set(name, { caller, until: ctx.now() + CACHED_FOR });
    return caller;
  };
}

async function readCaller(ctx: Context, hash: Uint8Array): Promise<Caller | undefined> {
  const row = await findCaller(ctx.db, hash);
  if (row === undefined || !sameBytes(row.hash, hash)) return undefined;
  const { keyId, scopes, merchant } = row;
  return { keyId, scopes, merchant, merchantId: merchant.id, mode: merchant.mode };
}
