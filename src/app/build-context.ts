import type { SandboxBank } from "../connectors/sandbox/sandbox-three-d-secure.ts";
import type { Context } from "../platform/context.ts";
import { createSealedTexts } from "../platform/vault/sealed-texts.ts";
import { createVault } from "../platform/vault/vault.ts";
import { createVaultKeys } from "../platform/vault/vault-keys.ts";
import { createConnectors } from "./connectors.ts";
import { createWallets, type LiveWallets } from "./wallets.ts";

/** What a gateway and a command beside it have each their own of. */
type Own = Pick<
  Context,
  "db" | "settings" | "log" | "cacheInvalidation" | "egress" | "metrics" | "now" | "wakeJobs"
>;

/** Adds what both have in common: banks, wallets and the vault. */
export function buildContext(
  own: Own,
  liveWallets?: LiveWallets,
): { readonly ctx: Context; readonly sandboxBank: SandboxBank } {
  const { db, settings, log, now } = own;
  const { connectors, sandboxBank } = createConnectors(own);
  const vaultKeys = createVaultKeys(settings, now);
  const vault = createVault(vaultKeys, log, now);
  const sealedTexts = createSealedTexts(vaultKeys);
  const wallets = createWallets({ db, sealedTexts, now }, liveWallets);
  return { ctx: { ...own, connectors, wallets, vault, vaultKeys, sealedTexts }, sandboxBank };
}
