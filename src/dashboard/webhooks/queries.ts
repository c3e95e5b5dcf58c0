import type { Merchant } from "../../features/merchants/index.ts";
import type { Id } from "../../kernel/ids.ts";
import { onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { type Delivery, onMerchantClock } from "../events/queries.ts";
import { COUNTED_AT_MOST } from "../shell/words.ts";

/** Searches the merchant's newest deliveries only, so the cost does not grow with their number. */
const LOOKED_AT = 10_000;
const SHOWN = 10;

export type WebhookDelivery = Omit<Delivery, "webhookId" | "url">;

const NEWEST = sql(
  "dashboard_newest_of_webhook",
  `select event_id as "eventId", status, attempts, http_status as "httpStatus", latency_ms as "latencyMs", error,
     case when latency_ms is not null then attempted_at end as "attemptedAt", case when status = 'pending' then due_at end as "nextAt"
   from (select * from deliveries where merchant_id = $1 order by event_id desc limit ${LOOKED_AT}) as newest
   where webhook_id = $2 order by event_id desc limit ${SHOWN}`,
);

const WALK = sql(
  "dashboard_deliveries_walk",
  `select event_id as "eventId", webhook_id as "webhookId", status, attempts, http_status as "httpStatus",
     latency_ms as "latencyMs", error, case when latency_ms is not null then attempted_at end as "attemptedAt", case when status = 'pending' then due_at end as "nextAt"
   from deliveries where merchant_id = $1 and (event_id, webhook_id) < ($2, $3)
   order by event_id desc, webhook_id desc limit ${LOOKED_AT / 10}`,
);

const WAITING = sql(
  "dashboard_waiting_for_webhook",
  `select count(*) as count from (select from deliveries
     where merchant_id = $1 and webhook_id = $2 and status = 'pending' limit ${COUNTED_AT_MOST}) as waiting`,
);

/** The newest deliveries to a subscription, as far as they are among the newest of its merchant. */
export async function newestDeliveries(
  tx: Tx,
  merchant: Pick<Merchant, "id" | "clockOffset">,
  webhookId: Id<"webhook">,
): Promise<readonly WebhookDelivery[]> {
  return onMerchantClock(merchant, await tx.rows<WebhookDelivery>(NEWEST, [merchant.id, webhookId]));
}

/** All deliveries to a subscription, newest first, in portions. Each statement passes a bounded number of rows. */
export async function* walkDeliveries(
  tx: Tx,
  merchant: Pick<Merchant, "id" | "clockOffset">,
  webhookId: Id<"webhook">,
): AsyncGenerator<readonly WebhookDelivery[]> {
  for (let place = ["evt_~", ""]; ; ) {
    const passed = await tx.rows<Omit<Delivery, "url">>(WALK, [merchant.id, ...place]);
    yield onMerchantClock(
      merchant,
      passed.filter((one) => one.webhookId === webhookId),
    );
    const last = passed.at(-1);
    if (last === undefined) return;
    place = [last.eventId, last.webhookId];
  }
}

/** Pending deliveries to the subscription, counted up to the limit. */
export async function countWaiting(
  tx: Tx,
  merchantId: Id<"merchant">,
  webhookId: Id<"webhook">,
): Promise<number> {
  return onlyRow(await tx.rows<{ count: number }>(WAITING, [merchantId, webhookId])).count;
}
