import { sql, type Tx } from "../db/database.ts";
import { BACKLOG_COUNTED, type Backlog } from "../metrics/webhook-metrics.ts";
import { WITH_PENDING_PLACES } from "./pending-places.ts";

/** What waits for a later time costs nothing, and of what is due no more is counted than asked. */
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
