import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { findHolder } from "./find-holder.ts";

/** A PayID request that a link of the bank app names. */
export type LinkedRequest = { readonly request: PaymentRequest; readonly merchant: Merchant };

/**
 * The sandbox request that a link of the bank app names. Undefined for any other pair of id and PayID, and after the PayID
 * passed to another request.
 */
export async function findLinkedRequest(
  ctx: Context,
  id: Id<"paymentRequest">,
  payId: string,
): Promise<LinkedRequest | undefined> {
  const holder = await findHolder(ctx, ctx.db, "sandbox", payId);
  if (holder?.requestId !== id) return undefined;
  const request = await findPaymentRequest(ctx.db, holder.merchant.id, id);
  return request && { request, merchant: holder.merchant };
}
