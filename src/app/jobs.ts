import { forgetTokenUses, RECOVER_JOB, recoverAttempt } from "../features/checkout/index.ts";
import { keepHours } from "../features/dashboard/index.ts";
import { forgetOldSessions } from "../features/dashboard-users/index.ts";
import { deleteEventsBefore } from "../features/deliveries/index.ts";
import { FOLLOW_DEBIT_JOB, followDebit } from "../features/direct-debits/index.ts";
import {
  DELIVER_TRANSFER_JOB,
  deliverTransfer,
  PAY_BY_ITSELF_JOB,
  payByItself,
  RETURN_TRANSFER_JOB,
  returnTransfer,
} from "../features/incoming-transfers/index.ts";
import {
  EXPIRE_JOB,
  expireWhenDue,
  REGISTER_PAYID_JOB,
  RELEASE_PAYID_JOB,
  registerPayIdLater,
  releasePayId,
} from "../features/payment-requests/index.ts";
import { runDuePayouts } from "../features/payouts/index.ts";
import { SETTLE_REFUND_JOB, settleRefundWhenDue } from "../features/refunds/index.ts";
import {
  EXPIRE_AUTHORISATION_JOB,
  expireAuthorisation,
  finishOperationLater,
  OPERATION_JOB,
} from "../features/transactions/index.ts";
import { DAY, HOUR, later, MINUTE, SECOND } from "../kernel/time.ts";
import { sealAudit } from "../platform/audit/seal-audit.ts";
import { forgetOldSealingKeys } from "../platform/crypto/seal.ts";
import { deleteKeysBefore } from "../platform/idempotency/queries.ts";
import type { Chore, JobHandler } from "../platform/jobs/worker.ts";

/** Who does which kind of timed work. */
export const JOB_HANDLERS: Readonly<Record<string, JobHandler>> = {
  [EXPIRE_JOB]: expireWhenDue,
  [RECOVER_JOB]: recoverAttempt,
  [OPERATION_JOB]: finishOperationLater,
  [EXPIRE_AUTHORISATION_JOB]: expireAuthorisation,
  [FOLLOW_DEBIT_JOB]: followDebit,
  [SETTLE_REFUND_JOB]: settleRefundWhenDue,
  [REGISTER_PAYID_JOB]: registerPayIdLater,
  [RELEASE_PAYID_JOB]: releasePayId,
  [RETURN_TRANSFER_JOB]: returnTransfer,
  [DELIVER_TRANSFER_JOB]: deliverTransfer,
  [PAY_BY_ITSELF_JOB]: payByItself,
};

/** Keys are remembered for two days; 24 hours are promised. */
const KEYS_REMEMBERED = 2 * DAY;
const KEYS_AT_ONCE = 10_000;

/** Events are kept for 30 days, and with them what is known of their deliveries. */
const EVENTS_KEPT = 30 * DAY;
const EVENTS_AT_ONCE = 2_000;

export const CHORES: readonly Chore[] = [
  {
    name: "pay out what is held of days that are over",
    everyMs: 2 * SECOND,
    run: async (ctx) => {
      await runDuePayouts(ctx);
      return "done";
    },
  },
  {
    name: "seal the audit log",
    everyMs: SECOND,
    run: async (ctx) => {
      const outcome = await sealAudit(ctx.db, ctx.vaultKeys);
      if (outcome !== "broken") return outcome;
      ctx.log.error({}, "somebody changed the end of the audit log: run `tidegate audit verify`");
      return "done";
    },
  },
  {
    name: "add up the hours that are over",
    everyMs: MINUTE,
    run: keepHours,
  },
  {
    name: "forget old idempotency keys",
    everyMs: HOUR,
    run: async (ctx) => {
      const before = later(ctx.now(), -KEYS_REMEMBERED);
      return (await deleteKeysBefore(ctx.db, before, KEYS_AT_ONCE)) < KEYS_AT_ONCE ? "done" : "more";
    },
  },
  {
    name: "forget old sessions of the dashboard",
    everyMs: HOUR,
    run: async (ctx) => {
      await forgetOldSessions(ctx);
      return "done";
    },
  },
  {
    name: "forget old sealing keys",
    everyMs: HOUR,
    run: async (ctx) => {
      await forgetOldSealingKeys(ctx.db, ctx.now());
      return "done";
    },
  },
  {
    name: "forget wallet tokens that could not be used again anyhow",
    everyMs: HOUR,
    run: async (ctx) =>
      (await forgetTokenUses(ctx.db, ctx.now(), KEYS_AT_ONCE)) < KEYS_AT_ONCE ? "done" : "more",
  },
  {
    name: "forget old events",
    everyMs: HOUR,
    run: async (ctx) => {
      const before = later(ctx.now(), -EVENTS_KEPT);
      return (await deleteEventsBefore(ctx.db, before, EVENTS_AT_ONCE)) < EVENTS_AT_ONCE ? "done" : "more";
    },
  },
];
