import { iso8583Chores } from "../connectors/iso8583/prune-journal.ts";
import { dashboardChores } from "../dashboard/index.ts";
import { acquirerReconciliationJobs } from "../features/acquirer-reconciliation/index.ts";
import { cardTestingChores } from "../features/card-testing/index.ts";
import { checkoutChores, checkoutJobs } from "../features/checkout/index.ts";
import { deliveryChores } from "../features/deliveries/index.ts";
import { directDebitJobs } from "../features/direct-debits/index.ts";
import { disputeJobs } from "../features/disputes/index.ts";
import { incomingTransferJobs } from "../features/incoming-transfers/index.ts";
import { pageReportChores } from "../features/page-reports/index.ts";
import { paymentRequestJobs } from "../features/payment-requests/index.ts";
import { payoutChores, payoutJobs } from "../features/payouts/index.ts";
import { receiptJobs } from "../features/receipts/index.ts";
import { refundJobs } from "../features/refunds/index.ts";
import { sandboxJobs } from "../features/sandbox/index.ts";
import { tokenChores } from "../features/tokens/index.ts";
import { transactionChores, transactionJobs } from "../features/transactions/index.ts";
import { DAY, HOUR, later, SECOND } from "../kernel/time.ts";
import { sealAudit } from "../platform/audit/seal-audit.ts";
import { shipHead } from "../platform/audit/ship-head.ts";
import { deleteOldWrongKeys } from "../platform/http/wrong-keys/queries.ts";
import { deleteOldKeys } from "../platform/idempotency/queries.ts";
import type { Chore, JobSpec } from "../platform/jobs/job.ts";
import { retentionChore } from "../platform/jobs/retention.ts";
import { forgetOldSealingKeys } from "../platform/sealing/seal.ts";

/** Every kind of timed work. */
export const JOBS: readonly JobSpec[] = [
  ...paymentRequestJobs,
  ...checkoutJobs,
  ...transactionJobs,
  ...directDebitJobs,
  ...refundJobs,
  ...acquirerReconciliationJobs,
  ...disputeJobs,
  ...incomingTransferJobs,
  ...receiptJobs,
  ...payoutJobs,
  ...sandboxJobs,
];

/** The API promises 24 hours; keys are deleted after two days. */
const KEYS_KEPT = 2 * DAY;
const KEYS_AT_ONCE = 10_000;
/** A count fades within minutes. */
const WRONG_KEYS_KEPT = 6 * HOUR;

/** Recurring work of the platform itself. */
const platformChores: readonly Chore[] = [
  {
    name: "seal the audit log",
    everyMs: SECOND,
    run: async (ctx) => {
      const outcome = await sealAudit(ctx.db, ctx.vaultKeys);
      if (outcome !== "broken") return outcome;
      ctx.metrics.controlFailed("audit_chain");
      ctx.log.error({}, "the end of the audit log was changed: run `tidegate audit verify`");
      return "done";
    },
  },
  {
    name: "ship the head of the audit log",
    everyMs: SECOND,
    run: async (ctx) => {
      await shipHead(ctx);
      return "done";
    },
  },
  retentionChore({
    name: "delete old idempotency keys",
    everyMs: HOUR,
    keptMs: KEYS_KEPT,
    atOnce: KEYS_AT_ONCE,
    deletePortion: deleteOldKeys,
  }),
  {
    name: "delete faded counts of wrong API keys",
    everyMs: HOUR,
    run: async (ctx) => {
      const deleted = await deleteOldWrongKeys(ctx.db, later(ctx.now(), -WRONG_KEYS_KEPT), KEYS_AT_ONCE);
      return deleted < KEYS_AT_ONCE ? "done" : "more";
    },
  },
  {
    name: "delete old sealing keys",
    everyMs: HOUR,
    run: async (ctx) => {
      await forgetOldSealingKeys(ctx.db, ctx.now());
      return "done";
    },
  },
];

export const CHORES: readonly Chore[] = [
  ...payoutChores,
  ...platformChores,
  ...iso8583Chores,
  ...dashboardChores,
  ...checkoutChores,
  ...cardTestingChores,
  ...pageReportChores,
  ...deliveryChores,
  ...tokenChores,
  ...transactionChores,
];
