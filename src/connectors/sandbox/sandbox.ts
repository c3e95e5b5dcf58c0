import { type Instant, SECOND } from "../../kernel/time.ts";
import { randomText } from "../../platform/crypto/secrets.ts";
import type { Database } from "../../platform/db/database.ts";
import type { SealedTexts } from "../../platform/vault/sealed-texts.ts";
import type { SandboxControls } from "../ports/sandbox-controls.ts";
import { SANDBOX_DISPUTES } from "./dispute-scenarios.ts";
import { openLedger } from "./queries.ts";
import { createSandboxAcquirer } from "./sandbox-acquirer.ts";
import { createSandboxDebitBank } from "./sandbox-debit-bank.ts";
import { createSandboxPayIdRail, type PlanPayment } from "./sandbox-payid-rail.ts";
import { createSandboxThreeDSecure } from "./sandbox-three-d-secure.ts";
import { createFakeVendors, createVendorSigner } from "./wallets/fake-vendors.ts";
import { createSandboxKeys } from "./wallets/sandbox-keys.ts";
import { createWalletSimulator } from "./wallets/wallet-simulator.ts";

type Parts = {
  readonly db: Database;
  readonly sealedTexts: SealedTexts;
  readonly now: () => Instant;
  readonly settlementSeconds: number;
  readonly planPayment: PlanPayment;
};

/** Builds the simulators once: as the connector `sandbox`, and as the controls over them. */
export function createSandbox({ db, sealedTexts, now, settlementSeconds, planPayment }: Parts) {
  const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * SECOND));
  const threeDSecure = createSandboxThreeDSecure(openLedger(db, "3d secure"), () => randomText(24));
  const debits = createSandboxDebitBank(openLedger(db, "debit bank"), settlementSeconds * SECOND);
  const payIds = createSandboxPayIdRail(openLedger(db, "payid", { forJobs: true }), planPayment);
  const keys = createSandboxKeys(db, sealedTexts, now);
  const connector = {
    cardAcquirer: createSandboxAcquirer(openLedger(db, "acquirer"), wait),
    threeDSecure: threeDSecure.connector,
    debitBank: debits.bank,
    payIdRail: payIds.rail,
    ...createFakeVendors(keys, now),
  };
  const controls: SandboxControls = {
    payIdPayers: payIds.payers,
    challenges: threeDSecure.challenges,
    wallets: createWalletSimulator(createVendorSigner(keys)),
    advanceDebit: debits.advance,
    disputes: SANDBOX_DISPUTES,
  };
  return { connector, controls };
}
