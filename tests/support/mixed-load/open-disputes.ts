import { setTimeout as pause } from "node:timers/promises";
import { callApi, ok, type Shop } from "../checkout.ts";
import type { DisputeRecord } from "../disputes.ts";

/** A job opens a dispute at once, unless the node that runs it is killed. */
const SOON_MS = 3_000;

/** Some disputes to which the merchant has not responded. */
export async function openDisputes(shop: Shop): Promise<readonly DisputeRecord[]> {
  return ok(await callApi(shop, "GET", "/disputes?status=needs_response&limit=20")).disputes;
}

/** The dispute of a payment; undefined when it is not open soon. */
export async function whenDisputedSoon(
  at: () => Shop,
  transactionId: string,
): Promise<DisputeRecord | undefined> {
  const until = Date.now() + SOON_MS;
  while (Date.now() < until) {
    const { disputes } = ok(await callApi(at(), "GET", `/disputes?transactionid=${transactionId}`));
    if (disputes.length > 0) return disputes[0] as DisputeRecord;
    await pause(50);
  }
  return undefined;
}
