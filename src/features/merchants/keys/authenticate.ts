import { SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, sameBytes } from "../../../platform/crypto/secrets.ts";
import type { Caller } from "../caller.ts";
import { MERCHANTS } from "./create-key.ts";
import { findCaller } from "./queries.ts";

/** How long a node believes what it knows of a key without hearing of a change; a bound, not the usual way. */
const BELIEVED_FOR = 3 * SECOND;
const KEPT_AT_MOST = 10_000;

type Known = { readonly caller: Caller | undefined; readonly until: number };

/** Finds the caller of an API key, from memory where nothing has changed. Unknown keys are remembered, too. */
export function createAuthenticator(ctx: Context): (apiKey: string) => Promise<Caller | undefined> {
  const known = new Map<string, Known>();
  let changes = 0;
  ctx.cacheInvalidation.onChange(MERCHANTS, () => {
    changes += 1;
    known.clear();
  });

  return async (apiKey) => {
    const hash = hashSecret(apiKey);
    const name = Buffer.from(hash).toString("base64");
    const kept = known.get(name);
    if (kept !== undefined && kept.until > ctx.now()) return kept.caller;
    const changesBefore = changes;
    const caller = await lookUp(ctx, hash);
    if (known.size >= KEPT_AT_MOST) known.clear();
    // What was read while something changed may be old already.
    if (changes === changesBefore) known.set(name, { caller, until: ctx.now() + BELIEVED_FOR });
    return caller;
  };
}

async function lookUp(ctx: Context, hash: Uint8Array): Promise<Caller | undefined> {
  const row = await findCaller(ctx.db, hash);
  if (row === undefined || !sameBytes(row.hash, hash)) return undefined;
  const { keyId, scopes, merchant } = row;
  return { keyId, scopes, merchant, merchantId: merchant.id, mode: merchant.mode };
}
