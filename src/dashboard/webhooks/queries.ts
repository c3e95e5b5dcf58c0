import type { Id } from "../../kernel/ids.ts";
import { onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import type { DeliveryFacts } from "../payments/queries.ts";

/** How far back the newest deliveries are looked at: it costs the same however many there were before. */
const LOOKED_AT = 10_000;
const SHOWN = 10;

/** A delivery to one subscription, as it stands. */
export type WebhookDelivery = Omit<DeliveryFacts, "webhookId" | "url">;

const NEWEST = sql(
  "dashboard_newest_of_webhook",
  `select event_id as "eventId", status, attempts, http_status as "httpStatus", latency_ms as "latencyMs", error,
     attempted_at as "attemptedAt", case when status = 'pending' then due_at end as "nextAt"
   from (select * from deliveries where merchant_id = $1 order by event_id desc limit ${LOOKED_AT}) as newest
   where webhook_id = $2 order by event_id desc limit ${SHOWN}`,
);

const WAITING = sql(
  "dashboard_waiting_for_webhook",
  `select count(*) as count from (select from deliveries
     where merchant_id = $1 and webhook_id = $2 and status = 'pending' limit $3) as waiting`,
);

/** The newest deliveries to a subscription, as far as they are among the newest of its merchant. */
export async function newestDeliveries(
  tx: Tx,
  merchantId: Id<"merchant">,
  webhookId: Id<"webhook">,
): Promise<readonly WebhookDelivery[]> {
  return tx.rows<WebhookDelivery>(NEWEST, [merchantId, webhookId]);
}

/** How many deliveries wait for the subscription, counted no further than asked. */
export async function countWaiting(
  tx: Tx,
  merchantId: Id<"merchant">,
  webhookId: Id<"webhook">,
  noFurther: number,
): Promise<number> {
  return onlyRow(await tx.rows<{ count: number }>(WAITING, [merchantId, webhookId, noFurther])).count;
}
