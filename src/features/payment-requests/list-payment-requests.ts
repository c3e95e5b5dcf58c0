import type { Id } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { Merchant } from "../merchants/index.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { isOverdue, type PaymentRequest } from "./payment-request.ts";
import { type Filters, listOverdue, listRequestRows } from "./queries.ts";

/**
 * A page of a merchant's payment requests, newest first. Overdue ones on it are expired first, as in a single read; overdue
 * requests on other pages cost nothing.
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
  const read = () =>
    listRequestRows(ctx.reads, merchant.id, page, { ...filters, now: clockOf(ctx, merchant) });
  if (filters.status === "expired")
    await expire(await listOverdue(ctx.db, merchant.id, ctx.now(), page.limit));
  const requests = await read();
  const overdue = requests.filter((request) => isOverdue(request, clockOf(ctx, merchant)));
  if (overdue.length === 0) return requests;
  await expire(overdue.map((request) => request.id));
  return read();
}
