import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { isOverdue, type PaymentRequest } from "./payment-request.ts";
import { findPaymentRequest } from "./queries.ts";

/** A merchant's payment request. An overdue one is expired first: a read shows it as `created` only while a payment is under way. */
export async function getPaymentRequest(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<PaymentRequest> {
  const request = (await findPaymentRequest(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
  if (!isOverdue(request, clockOf(ctx, merchant))) return request;
  const fresh = (await findMerchant(ctx.db, merchant.id)) ?? refuse("resource_not_found");
  await expirePaymentRequest(ctx, fresh, id);
  return (await findPaymentRequest(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
}
