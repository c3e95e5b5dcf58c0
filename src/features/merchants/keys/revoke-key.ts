import type { Id } from "../../../kernel/ids.ts";
import type { World } from "../../../platform/world.ts";
import type { ApiKey } from "./api-key.ts";
import { MERCHANTS } from "./create-key.ts";
import { revokeKeyById } from "./queries.ts";

/** Ends a key. Every node knows within a second. Ending it twice is no mistake. */
export async function revokeKey(world: World, id: Id<"apiKey">): Promise<ApiKey | undefined> {
  const key = await world.db.transaction(async (tx) => {
    const revoked = await revokeKeyById(tx, id, world.now());
    await world.freshness.mark(tx, MERCHANTS);
    return revoked;
  });
  world.freshness.forget(MERCHANTS);
  return key;
}
