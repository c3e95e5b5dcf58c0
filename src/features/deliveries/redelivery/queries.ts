import type { Id } from "../../../kernel/ids.ts";
import { onlyRow, sql, type Tx } from "../../../platform/db/database.ts";

const REQUEUE_TEXT = (filter: string) =>
  `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
   select e.merchant_id, e.id, w.id, clock_timestamp()
   from events e join webhooks w
     on w.merchant_id = e.merchant_id and w.event in (e.event, '*') and w.status = 'active'
   where e.merchant_id = $1 and ${filter} order by e.id
   on conflict (merchant_id, event_id, webhook_id) do update
     set status = 'pending', failures = 0, round = deliveries.round + 1, due_at = excluded.due_at,
       error = case when deliveries.latency_ms is not null then deliveries.error end
   returning webhook_id as "webhookId", attempts`;
const REQUEUE_EVENT = sql("delivery_requeue", REQUEUE_TEXT("e.id = $2"), { emitsEvent: true });
const REQUEUE_RANGE = sql(
  "delivery_requeue_range",
  REQUEUE_TEXT("e.id >= $2 and e.id < $3 and ($4::text is null or e.event = $4)"),
  { emitsEvent: true },
);
const FIND_END_OF_PORTION = sql(
  "delivery_find_end_of_portion",
  "select id from events where merchant_id = $1 and id >= $2 and id < $3 order by id offset $4 limit 1",
);
const COUNT_RANGE = sql(
  "delivery_count_range",
  `select coalesce(sum(counted), 0)::bigint as events, coalesce(sum(counted * subscribed), 0)::bigint as deliveries,
     coalesce(sum(counted) filter (where subscribed = 0), 0)::bigint as skipped
   from (
     select event, count(*) as counted, (select count(*) from webhooks w
       where w.merchant_id = $1 and w.event in (one.event, '*') and w.status = 'active') as subscribed
     from (
       select event from events e
       where e.merchant_id = $1 and e.id >= $2 and e.id < $3 and ($4::text is null or e.event = $4) limit $5) as one
     group by event) as found`,
);

/** Makes an event due again for its active subscriptions. Returns their number. */
export async function requeueEvent(
  tx: Tx,
  merchantId: Id<"merchant">,
  eventId: Id<"event">,
): Promise<number> {
  return (await tx.rows(REQUEUE_EVENT, [merchantId, eventId])).length;
}

export type EventRange = { readonly from: string; readonly before: string; readonly event: string | null };

export async function requeueRange(tx: Tx, merchantId: Id<"merchant">, range: EventRange): Promise<number> {
  return (await tx.rows(REQUEUE_RANGE, [merchantId, range.from, range.before, range.event])).length;
}

/** Where a portion of the range ends that has so many events: the first event after it, or the range's end. */
export async function findEndOfPortion(
  tx: Tx,
  merchantId: Id<"merchant">,
  { from, before }: EventRange,
  events: number,
): Promise<string> {
  const [next] = await tx.rows<{ id: string }>(FIND_END_OF_PORTION, [merchantId, from, before, events]);
  return next?.id ?? before;
}

/** The events of a range, how many deliveries they would start, and how many have no active subscription. */
export type RangeCount = { readonly events: number; readonly deliveries: number; readonly skipped: number };

/** Counts the events of the range, up to a limit. */
export async function countRange(
  tx: Tx,
  merchantId: Id<"merchant">,
  range: EventRange,
  limit: number,
): Promise<RangeCount> {
  const parameters = [merchantId, range.from, range.before, range.event, limit];
  return onlyRow(await tx.rows<RangeCount>(COUNT_RANGE, parameters));
}
