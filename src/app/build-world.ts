import type { SandboxBank } from "../connectors/sandbox/sandbox-three-d-secure.ts";
import { createSealedTexts } from "../platform/vault/sealed-texts.ts";
import { createVault } from "../platform/vault/vault.ts";
import { createVaultKeys } from "../platform/vault/vault-keys.ts";
import type { World } from "../platform/world.ts";
import { createConnectors } from "./connectors.ts";
import { createWallets, type LiveWallets } from "./wallets.ts";

/** What a gateway and a command beside it have each their own of. */
type Own = Pick<World, "db" | "settings" | "log" | "freshness" | "egress" | "figures" | "now" | "wakeJobs">;

/** Adds what both have in common: banks, wallets and the vault. */
export function buildWorld(
  own: Own,
  liveWallets?: LiveWallets,
): { readonly world: World; readonly sandboxBank: SandboxBank } {
  const { db, settings, log, now } = own;
  const { connectors, sandboxBank } = createConnectors(own);
  const vaultKeys = createVaultKeys(settings, now);
  const vault = createVault(vaultKeys, log, now);
  const sealedTexts = createSealedTexts(vaultKeys);
  const wallets = createWallets({ db, sealedTexts, now }, liveWallets);
  return { world: { ...own, connectors, wallets, vault, vaultKeys, sealedTexts }, sandboxBank };
}
