import type { CardAcquirer } from "../connectors/ports/card-acquirer.ts";
import type { DirectDebitBank } from "../connectors/ports/direct-debit-bank.ts";
import type { PayIdPayers, PayIdRail } from "../connectors/ports/payid-rail.ts";
import type { ChallengedPayers, ThreeDSecure } from "../connectors/ports/three-d-secure.ts";
import type { WalletVendor } from "../connectors/ports/wallets.ts";
import { refuse } from "../kernel/refusal.ts";
import { type Instant, instant } from "../kernel/time.ts";
import type { CacheInvalidation } from "./cache-invalidation/cache-invalidation.ts";
import type { Settings } from "./config/settings.ts";
import type { Database } from "./db/database.ts";
import type { Egress } from "./egress/egress.ts";
import type { Log } from "./log/log.ts";
import type { PaymentMetrics } from "./metrics/payment-metrics.ts";
import type { SealedTexts } from "./vault/sealed-texts.ts";
import type { Vault } from "./vault/vault.ts";
import type { VaultKeys } from "./vault/vault-keys.ts";

export type Connectors = {
  readonly acquirer: CardAcquirer;
  readonly threeDSecure: ThreeDSecure;
  readonly debitBank: DirectDebitBank;
  readonly payIdRail: PayIdRail;
  /** Whoever pays to PayIDs where payers are played: in the sandbox, nowhere else. */
  readonly payIdPayers?: PayIdPayers;
  readonly challengedPayers?: ChallengedPayers;
};

/** What a verb needs of the outside. Built once by the app and passed down; nothing here is global. */
export type Context = {
  readonly db: Database;
  readonly settings: Settings;
  readonly log: Log;
  readonly cacheInvalidation: CacheInvalidation;
  /** Whoever moves money and authenticates payers for us. */
  readonly connectors: { readonly [mode in "sandbox" | "live"]: Connectors | undefined };
  /** Whoever stands behind Apple Pay and Google Pay. */
  readonly wallets: { readonly [mode in "sandbox" | "live"]: WalletVendor | undefined };
  /** HTTP out to addresses that merchants gave. */
  readonly egress: Egress;
  /** Card and account numbers. */
  readonly vault: Vault;
  /** Secrets of merchants' settings that we must be able to read again. */
  readonly sealedTexts: SealedTexts;
  /** For the operator's commands and the house's own work; no feature touches it. */
  readonly vaultKeys: VaultKeys;
  /** What Prometheus is told of payments: after the commit that made it true. */
  readonly metrics: PaymentMetrics;
  /** Real time. What a merchant sees goes by the merchant's clock instead. */
  readonly now: () => Instant;
  /** Tells the worker of this process that work may be due right now. */
  readonly wakeJobs: () => void;
};

/** The connectors of a merchant's mode. A live merchant never meets a simulator. */
export function connectorsOf(ctx: Context, merchant: { readonly mode: "sandbox" | "live" }): Connectors {
  return ctx.connectors[merchant.mode] ?? refuse("checkout_acquirer_missing");
}

/** The time on a merchant's clock: real time, moved ahead by as much as the merchant's sandbox was. */
export function clockOf(ctx: Pick<Context, "now">, merchant: { readonly clockOffset: number }): Instant {
  return instant(ctx.now() + merchant.clockOffset);
}
