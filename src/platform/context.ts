import type { Acquirers } from "../connectors/ports/acquirers.ts";
import type { Connectors } from "../connectors/ports/connectors.ts";
import type { SandboxControls } from "../connectors/ports/sandbox-controls.ts";
import { type Instant, instant } from "../kernel/time.ts";
import type { CacheInvalidation } from "./cache-invalidation/cache-invalidation.ts";
import type { Settings } from "./config/settings.ts";
import type { Database } from "./db/database.ts";
import type { Reads } from "./db/reads.ts";
import type { Egress } from "./egress/egress.ts";
import type { Log } from "./log/log.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { PaymentMetrics } from "./metrics/payment-metrics.ts";
import type { SealedTexts } from "./vault/sealed-texts.ts";
import type { Vault } from "./vault/vault.ts";
import type { VaultKeys } from "./vault/vault-keys.ts";

/** Everything that a verb needs. Built once by the app and passed down; nothing here is global. */
export type Context = {
  readonly db: Database;
  /** Lists, pages of the dashboard and exports: a replica, where there is one. */
  readonly reads: Reads;
  readonly settings: Settings;
  readonly log: Log;
  readonly cacheInvalidation: CacheInvalidation;
  /** Routes card payments to the merchant's acquirers. */
  readonly acquirers: Acquirers;
  /** Finds the bank, rail or wallet that serves a merchant. */
  readonly connectors: Connectors;
  /** Controls of the simulators, for sandbox merchants only. */
  readonly sandbox: SandboxControls;
  /** HTTP to URLs that merchants registered. */
  readonly egress: Egress;
  /** Undefined while no mail server is set. */
  readonly mailer: Mailer | undefined;
  /** Card and account numbers. */
  readonly vault: Vault;
  /** Secrets of merchants' settings that we must be able to read again. */
  readonly sealedTexts: SealedTexts;
  /** For the operator's commands and maintenance jobs; no feature uses it. */
  readonly vaultKeys: VaultKeys;
  /** Payment metrics, counted after the commit. */
  readonly metrics: PaymentMetrics;
  /** Real time. What a merchant sees goes by the merchant's clock instead. */
  readonly now: () => Instant;
  /** Wakes the worker of this process: a job may be due now. */
  readonly wakeJobs: () => void;
  /** Set while a job runs: it begins to wait for a bank or another party outside. */
  readonly onOutsideCall?: () => void;
};

/** The time on a merchant's clock: real time, moved ahead by as much as the merchant's sandbox was. */
export function clockOf(ctx: Pick<Context, "now">, merchant: { readonly clockOffset: number }): Instant {
  return instant(ctx.now() + merchant.clockOffset);
}
