import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { isOverdue, type PaymentRequest } from "./payment-request.ts";
import { findPaymentRequest } from "./queries.ts";

/** A merchant's payment request. One that is past its time is ended first: no read ever shows it as `created`. */
export async function getPaymentRequest(
  world: World,
  merchant: Merchant,
  text: string,
): Promise<PaymentRequest> {
  const id = parseId("paymentRequest", text) ?? refuse("resource_not_found");
  const request = (await findPaymentRequest(world.db, merchant.id, id)) ?? refuse("resource_not_found");
  if (!isOverdue(request, clockOf(world, merchant))) return request;
  const fresh = (await findMerchant(world.db, merchant.id)) ?? refuse("resource_not_found");
  await expirePaymentRequest(world, fresh, id);
  return (await findPaymentRequest(world.db, merchant.id, id)) ?? refuse("resource_not_found");
}
