import { openTransit } from "../connectors/transit/transit.ts";
import { createAcquirers } from "../features/acquirer-accounts/index.ts";
import { isLiveMerchant } from "../features/merchants/index.ts";
import type { Context } from "../platform/context.ts";
import { readsOfPrimary } from "../platform/db/reads.ts";
import { createMailer } from "../platform/mail/mailer.ts";
import { createSealedTexts } from "../platform/vault/sealed-texts.ts";
import { createVault } from "../platform/vault/vault.ts";
import { createVaultKeys } from "../platform/vault/vault-keys.ts";
import { createConnectors, type LiveConnectors } from "./connectors.ts";

/** The parts that a gateway and a command create differently. */
type OwnParts = Pick<
  Context,
  "db" | "settings" | "log" | "cacheInvalidation" | "egress" | "metrics" | "now" | "wakeJobs"
> &
  Partial<Pick<Context, "reads">>;

/** Adds the parts that both share: connectors and the vault. */
export function buildContext(own: OwnParts, live?: LiveConnectors): Context {
  const { settings, log, now, metrics } = own;
  const outside = openTransit(settings, log, () => metrics.controlFailed("key_service"));
  const vaultKeys = createVaultKeys({ settings, isLiveMerchant, now, outside });
  const vault = createVault(vaultKeys, own);
  const sealedTexts = createSealedTexts(vaultKeys);
  const connected = createConnectors({ ...own, sealedTexts }, live);
  const acquirers = createAcquirers({ ...own, ...connected, sealedTexts });
  const mailer = createMailer(settings);
  const reads = own.reads ?? readsOfPrimary(own.db);
  return { ...own, reads, ...connected, acquirers, mailer, vault, vaultKeys, sealedTexts };
}
