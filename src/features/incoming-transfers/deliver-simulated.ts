import type { PayIdTransfer } from "../../connectors/ports/payid-rail.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { IncomingTransfer } from "./incoming-transfer.ts";
import { receiveTransfer } from "./receive-transfer.ts";

/** Makes a sandbox transfer, in case the call that promised it did not. Its subject is the whole transfer. */
export const MAKE_TRANSFER_JOB = "sandbox_payid_transfer";
/** The same in earlier versions: it delivers a transfer that was made. */
export const DELIVER_TRANSFER_JOB = "sandbox_payid_deliver";
/** Makes the sandbox's automatic payment, on the merchant's clock. */
export const AUTOMATIC_PAYMENT_JOB = "sandbox_payid_pay_by_itself";

/** The transfer's id is also the id of the bank's message. */
export type SimulatedTransfer = PayIdTransfer & { readonly message: Id<"incomingTransfer"> };

/** Makes a transfer and receives it. Repeating it changes nothing. */
export async function makeTransfer(ctx: Context, transfer: SimulatedTransfer): Promise<IncomingTransfer> {
  const paid = await ctx.sandbox.payIdPayers.pay(transfer);
  return receiveTransfer(ctx, "sandbox", paid, transfer.message);
}

/** Receives a transfer that a crash may have lost. */
export async function deliverTransfer(ctx: Context, id: Id<"incomingTransfer">): Promise<void> {
  const transfer = await ctx.sandbox.payIdPayers.find(id);
  if (transfer !== undefined) await receiveTransfer(ctx, "sandbox", transfer, id);
}

export async function payAutomatically(ctx: Context, requestId: Id<"paymentRequest">): Promise<void> {
  const transfer = await ctx.sandbox.payIdPayers.payAutomatically(requestId);
  if (transfer !== undefined) await receiveTransfer(ctx, "sandbox", transfer);
}
