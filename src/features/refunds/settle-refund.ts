import type { FinalAnswer } from "../../connectors/ports/card-acquirer.ts";
import type { OutcomeName } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { changeTime, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  eraseCardOnceReversed,
  findTransaction,
  lockTransaction,
  REVERSE_AGAIN_AFTER,
  REVERSE_REFUND_JOB,
  reverseAtAcquirer,
  settleHeldRefund,
  updateTransaction,
} from "../transactions/index.ts";
import { publishRefund } from "./publish-refund.ts";
import { findRefund, lockRefund, updateRefund } from "./queries.ts";
import { lifecycle, type Refund } from "./refund.ts";
import { getRefundRail, isPartOf, reverseRefund } from "./send-refund.ts";

export const SETTLE_REFUND_JOB = "refund_settle";

/**
 * Sends the refund and records the outcome. Repeating it is safe: the rail identifies the refund by its id. Returns when to
 * try again if the outcome is unknown.
 */
export async function settleRefund(ctx: Context, merchant: Merchant, refund: Refund): Promise<NextRun> {
  const original = await findTransaction(ctx.db, merchant.id, refund.transactionId);
  if (original === undefined) return undefined;
  const answer = await getRefundRail(ctx, merchant, original.source)(original, refund);
  if (answer.kind === "unreadable") return { retry: "a refund is not sent: account number unreadable" };
  if (answer.kind === "unknown") {
    return { retry: "a refund is not settled: the outcome is not known", withinMs: answer.withinMs };
  }
  await recordRefund(ctx, merchant, refund, answer);
  return undefined;
}

/**
 * Some acquirers confirm the reversal of a refund that they have not seen yet. A refund that was still on its way then
 * pays the money out after all, and its answer may have been lost with its process. So the reversal is sent once more.
 */
export async function reverseRefundAgain(
  ctx: Context,
  merchant: Merchant,
  id: Id<"refund">,
): Promise<NextRun> {
  const refund = await findRefund(ctx.db, merchant.id, id);
  const original = refund && (await findTransaction(ctx.db, merchant.id, refund.transactionId));
  if (original === undefined) return undefined;
  const { kind } = await reverseAtAcquirer(ctx, merchant, original, { reference: id });
  return kind === "approved"
    ? undefined
    : { retry: "a declined refund is not reversed: the acquirer has not confirmed it" };
}

/** Records what the acquirer has notified of a refund. A part of it is reversed; if that fails, the sender repeats it. */
export async function recordNotifiedRefund(
  ctx: Context,
  merchant: Merchant,
  refund: Refund,
  answer: FinalAnswer,
): Promise<void> {
  if (!isPartOf(refund, answer)) return recordRefund(ctx, merchant, refund, answer);
  const transaction = await findTransaction(ctx.db, merchant.id, refund.transactionId);
  if (transaction === undefined || refund.status !== "pending") return;
  const sent = { transaction, reference: refund.id };
  const reversed = await reverseRefund(ctx, merchant, sent, "partial_approval_refused");
  if (reversed.kind !== "declined") throw new Error("a refund that was made in part is not reversed");
  await recordRefund(ctx, merchant, refund, reversed);
}

/** Records the outcome of a refund, once. */
async function recordRefund(
  ctx: Context,
  merchant: Merchant,
  refund: Refund,
  answer: {
    readonly kind: "approved" | "declined";
    readonly code: OutcomeName;
    readonly isReversed?: boolean;
  },
): Promise<void> {
  const refunded = await ctx.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, refund.transactionId);
    const pending = await lockRefund(tx, merchant.id, refund.id);
    if (transaction === undefined || pending?.status !== "pending") return undefined;
    const trigger = answer.kind === "approved" ? "approve" : "decline";
    const status = nextState(lifecycle, pending.status, trigger) ?? pending.status;
    const updatedAt = changeTime(clockOf(ctx, merchant), pending.updatedAt);
    const done: Refund = { ...pending, status, code: answer.code, updatedAt };
    const after = settleHeldRefund(transaction, pending.amount, answer.kind);
    await updateTransaction(tx, after);
    if (after.refunded === after.captured) await eraseCardOnceReversed(ctx, tx, after);
    await updateRefund(tx, done);
    if (answer.isReversed) {
      const job = {
        kind: REVERSE_REFUND_JOB,
        merchantId: merchant.id,
        subjectId: done.id,
        realTime: true,
      } as const;
      await insertJob(tx, job, later(ctx.now(), REVERSE_AGAIN_AFTER));
    }
    await publishRefund(tx, merchant.mode, done, ctx.settings);
    return after;
  });
  if (refunded !== undefined)
    ctx.metrics.refunded({ mode: merchant.mode, source: refunded.source }, answer.kind);
}
