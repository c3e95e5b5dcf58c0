import type { Ledger } from "../connectors/sandbox/ledger.ts";
import { openLedger } from "../connectors/sandbox/queries.ts";
import { createSandboxAcquirer } from "../connectors/sandbox/sandbox-acquirer.ts";
import { createSandboxDebitBank } from "../connectors/sandbox/sandbox-debit-bank.ts";
import { createSandboxPayIdRail } from "../connectors/sandbox/sandbox-payid-rail.ts";
import {
  createSandboxThreeDSecure,
  SANDBOX_BANK_PATH,
  type SandboxBank,
} from "../connectors/sandbox/sandbox-three-d-secure.ts";
import { PAY_BY_ITSELF_JOB } from "../features/incoming-transfers/index.ts";
import { later, SECOND } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { randomText } from "../platform/crypto/secrets.ts";
import { insertJob } from "../platform/jobs/queries.ts";

/** Who plays the banks: simulators in the sandbox; live connectors are still to come. */
export function createConnectors({ db, settings, now }: Pick<Context, "db" | "settings" | "now">): {
  connectors: Context["connectors"];
  sandboxBank: SandboxBank;
} {
  const ledger: Ledger = openLedger(db, "acquirer");
  const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * SECOND));
  const sandboxBank = createSandboxThreeDSecure(openLedger(db, "3d secure"), () => randomText(24));
  const payIds = createSandboxPayIdRail(openLedger(db, "payid"), ({ reference, account }) =>
    insertJob(
      db,
      { kind: PAY_BY_ITSELF_JOB, merchantId: account, subjectId: reference },
      later(now(), settings.sandboxSettlementSeconds * SECOND),
    ),
  );
  const sandbox = {
    acquirer: createSandboxAcquirer(ledger, wait),
    threeDSecure: sandboxBank,
    debitBank: createSandboxDebitBank(
      openLedger(db, "debit bank"),
      settings.sandboxSettlementSeconds * SECOND,
    ),
    payIdRail: payIds.rail,
    payIdPayers: payIds.payers,
    challengedPayers: {
      answerAt: (url: string, passed: boolean) =>
        sandboxBank.answer(url.slice(SANDBOX_BANK_PATH.length + 1), passed),
    },
  };
  return { connectors: { sandbox, live: undefined }, sandboxBank };
}
