import type { Id } from "../../kernel/ids.ts";
import { type Instant, instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { isOverdue, transition } from "./payment-request.ts";
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
    // A payment that began before the expiry is allowed to finish; the job checks again.
    if (await findPendingOf(tx, merchant.id, id)) return later(ctx.now(), SECOND);
    const expired = transition(request, "expire", now);
    await writeEnd(ctx, tx, merchant.mode, expired);
    return undefined;
  });
}
