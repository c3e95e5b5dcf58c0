import { createSandboxWallets } from "../connectors/sandbox/sandbox-wallets.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { readLiveWallets } from "../platform/wallet-tokens/live-keys.ts";
import { createLiveVendor } from "../platform/wallet-tokens/live-vendor.ts";
import { createSandboxKeys } from "../platform/wallet-tokens/sandbox-keys.ts";
import { createSandboxVendor, sandboxSeals } from "../platform/wallet-tokens/sandbox-vendor.ts";
import type { World } from "../platform/world.ts";

type Parts = Pick<World, "db" | "sealedTexts" | "now">;
export type LiveWallets = {
  readonly vendor: World["wallets"]["live"];
  readonly close: () => Promise<void>;
};

/** Who stands behind the wallets: the sandbox plays both vendors; live ones are as the operator set them up. */
export function createWallets({ db, sealedTexts, now }: Parts, live?: LiveWallets): World["wallets"] {
  const keys = createSandboxKeys(db, sealedTexts, now);
  const sandbox = { ...createSandboxVendor(keys, now), player: createSandboxWallets(sandboxSeals(keys)) };
  return { sandbox, live: live?.vendor };
}

/** Reads and checks what the operator gave, before anything else is opened. */
export async function openLiveWallets(settings: World["settings"]): Promise<LiveWallets> {
  const keys = await readLiveWallets(settings);
  const apple = createEgress(undefined, keys.identity);
  return { vendor: createLiveVendor(settings, keys, apple), close: apple.close };
}
