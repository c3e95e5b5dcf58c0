import { type Id, newId } from "../../kernel/ids.ts";
import { type Metadata, metadataOf } from "../../kernel/metadata.ts";
import { cents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { RequestCaller } from "../merchants/index.ts";
import {
  holdRefund,
  isCaptured,
  lockTransaction,
  refundable,
  updateTransaction,
} from "../transactions/index.ts";
import { refundPath } from "./present.ts";
import { publishRefund } from "./publish-refund.ts";
import { insertRefund } from "./queries.ts";
import type { Refund } from "./refund.ts";
import { getRefundRail } from "./send-refund.ts";
import { SETTLE_REFUND_JOB } from "./settle-refund.ts";

/**
 * Records a refund for the settlement job to send. Its amount is held on the transaction's row, under the row's lock, and a
 * check constraint says the same: concurrent refunds cannot return more than was captured.
 */
export async function requestRefund(
  ctx: Context,
  caller: RequestCaller,
  transactionId: Id<"transaction">,
  input: {
    readonly amount: number | undefined;
    readonly reference: string | undefined;
    readonly metadata?: Metadata | undefined;
  },
): Promise<Refund> {
  const now = clockOf(ctx, caller.merchant);
  const id = newId("refund", now);
  const requested = await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: refundPath({ transactionId, id }) });
    const transaction =
      (await lockTransaction(tx, caller.merchantId, transactionId)) ?? refuse("resource_not_found");
    if (!isCaptured(transaction)) refuse("refund_transaction_state_conflict");
    // Refuses when there is no connector that could send the money.
    getRefundRail(ctx, caller.merchant, transaction.source);
    const amount = cents(input.amount ?? refundable(transaction));
    const held = holdRefund(transaction, amount);
    const pending: Refund = {
      id,
      merchantId: caller.merchantId,
      transactionId,
      reference: input.reference ?? id,
      metadata: metadataOf(input.metadata),
      amount,
      currency: transaction.currency,
      status: "pending",
      code: null,
      lateApproval: null,
      createdAt: now,
      updatedAt: now,
    };
    await updateTransaction(tx, held);
    await insertRefund(tx, pending);
    await publishRefund(tx, caller.mode, pending, ctx.settings);
    const job = { kind: SETTLE_REFUND_JOB, merchantId: caller.merchantId, subjectId: id };
    await insertJob(tx, job, sendingTime(ctx, caller));
    return pending;
  });
  if (caller.mode === "live") ctx.wakeJobs();
  return requested;
}

/** A live refund goes out at once. The sandbox shows it pending for its settlement delay. */
function sendingTime(ctx: Context, { mode }: RequestCaller): Instant {
  return mode === "live" ? ctx.now() : later(ctx.now(), ctx.settings.sandboxSettlementSeconds * SECOND);
}
