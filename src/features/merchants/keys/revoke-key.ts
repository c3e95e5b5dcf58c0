import type { Id } from "../../../kernel/ids.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import type { ApiKey } from "./api-key.ts";
import { MERCHANTS } from "./create-key.ts";
import { revokeKeyById } from "./queries.ts";

/** Revokes a key on every node within a second. Revoking it twice changes nothing. */
export async function revokeKey(ctx: Context, id: Id<"apiKey">): Promise<ApiKey | undefined> {
  const key = await ctx.db.transaction(async (tx) => {
    const revoked = await revokeKeyById(tx, id, ctx.now());
    if (revoked !== undefined) {
      const { merchantId } = revoked;
      await record(tx, { act: "api_key_revoked", merchantId, subjectId: id }, ctx.now());
    }
    await ctx.cacheInvalidation.mark(tx, MERCHANTS);
    return revoked;
  });
  ctx.cacheInvalidation.forget(MERCHANTS);
  return key;
}
