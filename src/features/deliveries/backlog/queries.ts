import { sql, type Tx } from "../../../platform/db/database.ts";
import { BACKLOG_COUNTED, type Backlog } from "../../../platform/metrics/webhook-metrics.ts";

/**
 * Begins a statement: `place` holds each subscription with pending deliveries, once. It leaps along the index from one to
 * the next, so that a million rows of one subscription cost no more than one (`exists` would let the planner hash them all).
 */
export const WITH_PENDING_PLACES = `with recursive place as (
     (select merchant_id, webhook_id from deliveries where status = 'pending'
      order by merchant_id, webhook_id limit 1)
     union all
     select next.merchant_id, next.webhook_id from place cross join lateral (
       select d.merchant_id, d.webhook_id from deliveries d
       where d.status = 'pending' and (d.merchant_id, d.webhook_id) > (place.merchant_id, place.webhook_id)
       order by d.merchant_id, d.webhook_id limit 1) as next
   )`;

/** Deliveries due later cost nothing, and those due now are counted up to the limit only. */
const BACKLOG = sql(
  "outbox_backlog",
  `${WITH_PENDING_PLACES},
   oldest as (
     select min(first.due_at) as due_at from place cross join lateral (
       select d.due_at from deliveries d
       where d.status = 'pending' and d.merchant_id = place.merchant_id and d.webhook_id = place.webhook_id
         and d.due_at <= now()
       order by d.due_at limit 1) as first
   ),
   due as (
     select count(*) as count from (
       select from place cross join lateral (
         select from deliveries d
         where d.status = 'pending' and d.merchant_id = place.merchant_id and d.webhook_id = place.webhook_id
           and d.due_at <= now()
         limit $1) as one
       limit $1) as counted
   )
   select due.count as due, coalesce(extract(epoch from now() - oldest.due_at), 0)::float8 as "oldestSeconds"
   from due, oldest`,
);

export async function readBacklog(tx: Tx): Promise<Backlog> {
  const [backlog] = await tx.rows<Backlog>(BACKLOG, [BACKLOG_COUNTED]);
  return backlog ?? { due: 0, oldestSeconds: 0 };
}
