import { createSandboxWallets } from "../connectors/sandbox/sandbox-wallets.ts";
import { createSandboxKeys } from "../platform/wallet-tokens/sandbox-keys.ts";
import { createSandboxVendor, sandboxSeals } from "../platform/wallet-tokens/sandbox-vendor.ts";
import type { World } from "../platform/world.ts";

/** Who stands behind the wallets: the sandbox plays both vendors. */
export function createWallets({
  db,
  sealedTexts,
  now,
}: Pick<World, "db" | "sealedTexts" | "now">): World["wallets"] {
  const keys = createSandboxKeys(db, sealedTexts, now);
  const sandbox = { ...createSandboxVendor(keys, now), player: createSandboxWallets(sandboxSeals(keys)) };
  return { sandbox, live: undefined };
}
