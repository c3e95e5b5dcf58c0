import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { pathOf } from "./create-payment-request.ts";
import { isOverdue, type PaymentRequest, transition } from "./payment-request.ts";
import { lockPaymentRequest } from "./queries.ts";
import { writeEnd } from "./write-end.ts";

/** Cancels an open payment request for the merchant. */
export async function cancelPaymentRequest(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"paymentRequest">,
): Promise<PaymentRequest> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: pathOf({ id }) });
    const request = (await lockPaymentRequest(tx, caller.merchantId, id)) ?? refuse("resource_not_found");
    const now = clockOf(ctx, caller.merchant);
    if (isOverdue(request, now)) refuse("payment_request_state_conflict");
    if (await findPendingOf(tx, caller.merchantId, id)) refuse("checkout_payment_in_progress");
    const cancelled = transition(request, "cancel", now);
    await writeEnd(ctx, tx, caller.mode, cancelled);
    return cancelled;
  });
}
