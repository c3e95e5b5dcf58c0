import { createSandboxVendor, sandboxWalletSigner } from "../connectors/sandbox/wallets/fake-vendors.ts";
import { createSandboxKeys } from "../connectors/sandbox/wallets/sandbox-keys.ts";
import { createSandboxWallets } from "../connectors/sandbox/wallets/wallet-simulator.ts";
import { readLiveWallets } from "../connectors/wallet-tokens/live-keys.ts";
import { createLiveVendor } from "../connectors/wallet-tokens/live-vendor.ts";
import type { Context } from "../platform/context.ts";
import { createEgress } from "../platform/egress/egress.ts";

type Parts = Pick<Context, "db" | "sealedTexts" | "now">;
export type LiveWallets = {
  readonly vendor: Context["wallets"]["live"];
  readonly close: () => Promise<void>;
};

/** Who stands behind the wallets: the sandbox plays both vendors; live ones are as the operator set them up. */
export function createWallets({ db, sealedTexts, now }: Parts, live?: LiveWallets): Context["wallets"] {
  const keys = createSandboxKeys(db, sealedTexts, now);
  const sandbox = {
    ...createSandboxVendor(keys, now),
    simulator: createSandboxWallets(sandboxWalletSigner(keys)),
  };
  return { sandbox, live: live?.vendor };
}

/** Reads and checks what the operator gave, before anything else is opened. */
export async function openLiveWallets(settings: Context["settings"]): Promise<LiveWallets> {
  const keys = await readLiveWallets(settings);
  const apple = createEgress(undefined, keys.identity);
  return { vendor: createLiveVendor(settings, keys, apple), close: apple.close };
}
