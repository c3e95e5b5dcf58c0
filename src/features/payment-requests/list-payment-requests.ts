import type { Page } from "../../platform/http/lists.ts";
import { clockOf, type World } from "../../platform/world.ts";
import type { Merchant } from "../merchants/index.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { isOverdue, type PaymentRequest } from "./payment-request.ts";
import { type Filters, listOverdue, listPaymentRequests as readPage } from "./queries.ts";

/** A page of a merchant's payment requests, newest first. Those past their time are ended first, as in a single read. */
export async function listPaymentRequests(
  world: World,
  merchant: Merchant,
  page: Page,
  filters: Filters,
): Promise<readonly PaymentRequest[]> {
  for (const id of await listOverdue(world.db, merchant.id, world.now())) {
    await expirePaymentRequest(world, merchant, id);
  }
  const requests = await readPage(world.db, merchant.id, page, filters);
  const overdue = requests.filter((request) => isOverdue(request, clockOf(world, merchant)));
  if (overdue.length === 0) return requests;
  for (const request of overdue) await expirePaymentRequest(world, merchant, request.id);
  return readPage(world.db, merchant.id, page, filters);
}
