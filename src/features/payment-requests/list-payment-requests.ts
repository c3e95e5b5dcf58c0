import type { Id } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { Merchant } from "../merchants/index.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { isOverdue, type PaymentRequest } from "./payment-request.ts";
import { type Filters, listOverdue, listPaymentRequests as readPage } from "./queries.ts";

/**
 * A page of a merchant's payment requests, newest first. Those on it that are past their time are ended first, as in a
 * single read; how many others wait to be ended makes no page slower.
 */
export async function listPaymentRequests(
  ctx: Context,
  merchant: Merchant,
  page: Page,
  filters: Filters,
): Promise<readonly PaymentRequest[]> {
  const expire = async (ids: readonly Id<"paymentRequest">[]) => {
    for (const id of ids) await expirePaymentRequest(ctx, merchant, id);
  };
  const read = () => readPage(ctx.db, merchant.id, page, filters, clockOf(ctx, merchant));
  if (filters.status === "expired")
    await expire(await listOverdue(ctx.db, merchant.id, ctx.now(), page.limit));
  const requests = await read();
  const overdue = requests.filter((request) => isOverdue(request, clockOf(ctx, merchant)));
  if (overdue.length === 0) return requests;
  await expire(overdue.map((request) => request.id));
  return read();
}
