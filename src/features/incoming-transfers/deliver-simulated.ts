import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import { receiveTransfer } from "./receive-transfer.ts";

/** Delivers a sandbox transfer again, in case a crash lost it. */
export const DELIVER_TRANSFER_JOB = "sandbox_payid_deliver";
/** Makes the sandbox's automatic payment, on the merchant's clock. */
export const AUTOMATIC_PAYMENT_JOB = "sandbox_payid_pay_by_itself";

/** Receives a transfer that a crash may have lost. */
export async function deliverTransfer(ctx: Context, id: Id<"incomingTransfer">): Promise<void> {
  const transfer = await ctx.sandbox.payIdPayers.find(id);
  if (transfer !== undefined) await receiveTransfer(ctx, "sandbox", transfer, id);
}

export async function payAutomatically(ctx: Context, requestId: Id<"paymentRequest">): Promise<void> {
  const transfer = await ctx.sandbox.payIdPayers.payAutomatically(requestId);
  if (transfer !== undefined) await receiveTransfer(ctx, "sandbox", transfer);
}
