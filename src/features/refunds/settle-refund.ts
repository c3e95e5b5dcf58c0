import type { OutcomeName } from "../../kernel/codes/outcomes.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { changeTime } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  eraseTransactionCard,
  findTransaction,
  lockTransaction,
  settleHeldRefund,
  updateTransaction,
} from "../transactions/index.ts";
import { publishRefund } from "./publish-refund.ts";
import { lockRefund, updateRefund } from "./queries.ts";
import { lifecycle, type Refund } from "./refund.ts";
import { getRefundRail } from "./send-refund.ts";

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

/** Records the outcome of a refund, once. */
export async function recordRefund(
  ctx: Context,
  merchant: Merchant,
  refund: Refund,
  answer: { readonly kind: "approved" | "declined"; readonly code: OutcomeName },
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
    if (after.refunded === after.captured) await eraseTransactionCard(ctx, tx, after);
    await updateRefund(tx, done);
    await publishRefund(tx, merchant.mode, done, ctx.settings);
    return after;
  });
  if (refunded !== undefined)
    ctx.metrics.refunded({ mode: merchant.mode, source: refunded.source }, answer.kind);
}
