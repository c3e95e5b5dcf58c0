import { createAdyenConnector } from "../connectors/adyen/adyen.ts";
import type { ApplePayKeys } from "../connectors/apple-pay/keys.ts";
import { createLiveApplePay } from "../connectors/apple-pay/live.ts";
import { BANK_FILES } from "../connectors/bank-files/bank-files.ts";
import { openLiveGooglePay } from "../connectors/google-pay/live.ts";
import { createIso8583 } from "../connectors/iso8583/iso8583.ts";
import { type ConnectorTable, createRegistry } from "../connectors/registry.ts";
import { createSandbox } from "../connectors/sandbox/sandbox.ts";
import { planLateReversal } from "../features/acquirer-reconciliation/index.ts";
import { AUTOMATIC_PAYMENT_JOB } from "../features/incoming-transfers/index.ts";
import { later, SECOND } from "../kernel/time.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { Context } from "../platform/context.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { insertJob } from "../platform/jobs/queries.ts";

type Parts = Pick<Context, "db" | "settings" | "log" | "now" | "sealedTexts">;

/** The connectors that need the operator's keys. */
export type LiveConnectors = {
  readonly table: Pick<ConnectorTable, "apple-pay" | "google-pay">;
  readonly close: () => Promise<void>;
};

/** Builds every connector once, each under its name. */
export function createConnectors(
  { db, settings, log, now, sealedTexts }: Parts,
  live?: LiveConnectors,
): Pick<Context, "connectors" | "sandbox"> {
  const settlementSeconds = settings.sandboxSettlementSeconds;
  const { connector, controls } = createSandbox({
    db,
    sealedTexts,
    now,
    settlementSeconds,
    planPayment: async ({ reference, account }) => {
      const job = { kind: AUTOMATIC_PAYMENT_JOB, merchantId: account, subjectId: reference };
      await insertJob(db, job, later(now(), settlementSeconds * SECOND));
    },
  });
  const table = {
    ...live?.table,
    sandbox: connector,
    "bank-files": { debitFiles: BANK_FILES },
    iso8583: {
      acquirer: createIso8583({
        db,
        log,
        now,
        planReversal: (tx, merchantId, late) =>
          planLateReversal({ settings, log, now }, tx, merchantId, late),
      }),
    },
    adyen: { acquirer: createAdyenConnector({ log, now, baseUrl: settings.baseUrl }) },
  };
  return { connectors: createRegistry(table), sandbox: controls };
}

/** Where the operator has not set up Apple Pay, what reads certificates is not loaded. */
async function readApplePayKeys(settings: Settings): Promise<ApplePayKeys | undefined> {
  if (settings.applePayMerchantId === undefined) return undefined;
  const keys = await import("../connectors/apple-pay/keys.ts");
  return keys.readApplePayKeys(settings);
}

/** Reads and checks the operator's key files, before anything else is opened. */
export async function openLiveConnectors(settings: Settings): Promise<LiveConnectors> {
  const googlePay = await openLiveGooglePay(settings);
  const keys = await readApplePayKeys(settings);
  const egress = createEgress(undefined, keys?.identity);
  return {
    table: {
      "google-pay": googlePay && { google_pay: googlePay },
      "apple-pay": keys && { apple_pay: createLiveApplePay(keys, egress) },
    },
    close: egress.close,
  };
}
