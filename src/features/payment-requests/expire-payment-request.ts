import type { Id } from "../../kernel/ids.ts";
import { type Instant, instant, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Merchant } from "../merchants/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { expiryPause, isOverdue, type PaymentRequest, transition } from "./payment-request.ts";
import { lockPaymentRequest } from "./queries.ts";
import { writeEnd } from "./write-end.ts";

/** Expires an overdue request; does nothing to any other. Returns when to check again, in real time, if it is too early. */
export async function expirePaymentRequest(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<Instant | undefined> {
  return ctx.db.transaction(async (tx) => {
    const request = await lockPaymentRequest(tx, merchant.id, id);
    if (request === undefined || request.status !== "created") return undefined;
    const now = clockOf(ctx, merchant);
    if (!isOverdue(request, now)) return instant(request.expiresAt - merchant.clockOffset);
    // A payment that began before the expiry is allowed to finish, and its end ends the request. The job checks again in
    // case a node of an earlier version finishes it; a bank may be away for hours.
    if (await findPendingOf(tx, merchant.id, id)) return later(ctx.now(), expiryPause(request, now));
    await expireLocked(ctx, tx, merchant, request);
    return undefined;
  });
}

/** Expires an overdue request whose row the transaction holds. */
export async function expireLocked(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  request: PaymentRequest,
): Promise<void> {
  await writeEnd(ctx, tx, merchant.mode, transition(request, "expire", clockOf(ctx, merchant)));
}
