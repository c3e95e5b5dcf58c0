import { SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, hashSecretText, sameBytes } from "../../../platform/crypto/secrets.ts";
import { isInRanges } from "../../../platform/http/address-ranges.ts";
import type { Authenticate } from "../../../platform/http/route.ts";
import type { Caller } from "../caller.ts";
import { isExpired, type KeyLimits } from "./api-key.ts";
import { MERCHANTS } from "./create-key.ts";
import { createKeyUses } from "./key-uses.ts";
import { findCaller } from "./queries.ts";
import { createRefusedKeys } from "./refused-keys.ts";

/** The upper bound of a cached caller's age. Usually cache invalidation drops it earlier. */
const CACHED_FOR = 3 * SECOND;
const CACHE_SIZE = 10_000;

type Holder = KeyLimits & { readonly caller: Caller };
type CachedHolder = { readonly holder: Holder | undefined; readonly until: number };

export type Authenticator = {
  /** Undefined if the key is unknown, revoked or expired. Records a key that does not work from that address. */
  readonly authenticate: Authenticate<Caller>;
  /** Writes the last uses that are still in memory. */
  readonly close: () => Promise<void>;
};

/** Finds holders of keys from a cache while nothing has changed. It caches unknown keys, too. */
export function createAuthenticator(ctx: Context): Authenticator {
  const uses = createKeyUses(ctx);
  const recordRefused = createRefusedKeys(ctx);
  const cache = new Map<string, CachedHolder>();
  let changes = 0;
  ctx.cacheInvalidation.onChange(MERCHANTS, () => {
    changes += 1;
    cache.clear();
  });

  async function holderOf(apiKey: string): Promise<Holder | undefined> {
    const name = hashSecretText(apiKey);
    const cached = cache.get(name);
    if (cached !== undefined && cached.until > ctx.now()) return cached.holder;
    const changesBefore = changes;
    const holder = await readHolder(ctx, hashSecret(apiKey));
    if (cache.size >= CACHE_SIZE) cache.clear();
    // A caller that was read during a change may be outdated.
    if (changes === changesBefore) cache.set(name, { holder, until: ctx.now() + CACHED_FOR });
    return holder;
  }

  return {
    authenticate: async (apiKey, address) => {
      const holder = await holderOf(apiKey);
      if (holder === undefined || isExpired(holder, ctx.now())) return undefined;
      const { caller, addresses } = holder;
      const worksFromHere = addresses.length === 0 || isInRanges(address, addresses);
      if (worksFromHere) uses.note(caller.keyId);
      else recordRefused(caller, address);
      return { caller, worksFromHere };
    },
    close: uses.close,
  };
}

async function readHolder(ctx: Context, hash: Uint8Array): Promise<Holder | undefined> {
  const row = await findCaller(ctx.db, hash);
  if (row === undefined || !sameBytes(row.hash, hash)) return undefined;
  const { keyId, scopes, merchant, expiresAt, addresses } = row;
  const caller = { keyId, scopes, merchant, merchantId: merchant.id, mode: merchant.mode };
  return { caller, expiresAt, addresses };
}
