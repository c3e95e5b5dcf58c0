import { isLiveMerchant } from "../features/merchants/index.ts";
import type { Context } from "../platform/context.ts";
import { createSealedTexts } from "../platform/vault/sealed-texts.ts";
import { createVault } from "../platform/vault/vault.ts";
import { createVaultKeys } from "../platform/vault/vault-keys.ts";
import { createConnectors, type LiveConnectors } from "./connectors.ts";

/** What a gateway and a command beside it each have of their own. */
type Own = Pick<
  Context,
  "db" | "settings" | "log" | "cacheInvalidation" | "egress" | "metrics" | "now" | "wakeJobs"
>;

/** Adds what both have in common: connectors and the vault. */
export function buildContext(own: Own, live?: LiveConnectors): Context {
  const { settings, log, now } = own;
  const vaultKeys = createVaultKeys({ settings, isLiveMerchant, now });
  const vault = createVault(vaultKeys, log, now);
  const sealedTexts = createSealedTexts(vaultKeys);
  return { ...own, ...createConnectors({ ...own, sealedTexts }, live), vault, vaultKeys, sealedTexts };
}
