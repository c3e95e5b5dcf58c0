import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { AttemptPlace } from "../../platform/http/cursors.ts";
import { type Deleted, type Portion, startOf } from "../../platform/jobs/retention.ts";
import type { Attempt } from "./delivery.ts";

/** A delivery that was attempted since `$6` has its next time from that attempt. */
const LIST_TO_MOVE = sql(
  "delivery_list_to_move",
  `select event_id as "eventId", webhook_id as "webhookId",
     to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"Z"') as due from deliveries
   where merchant_id = $1 and status = 'pending' and (webhook_id, due_at, event_id) > ($2, $3::timestamptz, $4)
     and (attempted_at is null or attempted_at < $6)
   order by webhook_id, due_at, event_id limit $5`,
);

const BRING_FORWARD = sql(
  "delivery_bring_forward",
  `update deliveries set due_at = (due_at at time zone 'UTC' - make_interval(secs => $2)) at time zone 'UTC'
   where merchant_id = $1 and webhook_id = $3 and event_id = any ($4::text[]) and status = 'pending'
     and (attempted_at is null or attempted_at < $5)`,
  { emitsEvent: true },
);

/**
 * Newest first; first of all what was not attempted, a delivery that was closed included, whose last attempt is in the log.
 * Times are cut to milliseconds, as cursors have them.
 */
const listStatement = (name: string, filter: string) =>
  sql(
    name,
    `select * from (
     select webhook_id as "webhookId", attempts as attempt, status, http_status as "httpStatus",
       latency_ms as "latencyMs", error,
       case when latency_ms is not null then date_trunc('milliseconds', attempted_at) end as "attemptedAt",
       case when status = 'pending' then due_at end as "nextAt"
     from deliveries where merchant_id = $1 and event_id = $2
     union all
     select webhook_id, attempt, case when http_status between 200 and 299 then 'delivered' else 'failed' end,
       http_status, latency_ms, error, date_trunc('milliseconds', attempted_at), null
     from delivery_attempts where merchant_id = $1 and event_id = $2) as attempts
   where (coalesce("attemptedAt", 'infinity'), "webhookId", attempt) < ($3::timestamptz, $4, $5) ${filter}
   order by "attemptedAt" desc nulls first, "webhookId" desc, attempt desc limit $6`,
  );

const LIST = listStatement("delivery_list", "");
/** One event has few attempts, so a range of time needs no index. */
const LIST_OF_RANGE = listStatement(
  "delivery_list_of_range",
  'and "attemptedAt" >= $7::timestamptz and "attemptedAt" < $8::timestamptz',
);

const LIST_OLD = sql(
  "delivery_list_old_events",
  `select merchant_id as "merchantId", id, created_at as "createdAt" from events
   where created_at >= $1 and created_at < $2 order by created_at limit $3`,
  { fanOut: "deletes the oldest rows of all merchants" },
);

/** By id, and not joined with the list of old events: whatever the planner expects of a range of time, it looks these up. */
const DELETE_OLD = sql(
  "delivery_delete_old",
  `with old as materialized (select * from unnest($1::text[], $2::text[]) as old (merchant_id, id)),
   attempts as (delete from delivery_attempts a using old where a.merchant_id = old.merchant_id and a.event_id = old.id),
   sent as (delete from deliveries d using old where d.merchant_id = old.merchant_id and d.event_id = old.id)
   delete from events e using old where e.merchant_id = old.merchant_id and e.id = old.id returning e.id`,
  { fanOut: "deletes the oldest rows of all merchants" },
);

/** A place among a merchant's pending deliveries, by endpoint and then by due time. */
export type DeliveryPlace = { readonly webhookId: string; readonly due: string; readonly eventId: string };
export const FIRST_DELIVERY: DeliveryPlace = { webhookId: "", due: "-infinity", eventId: "" };

/** Which deliveries are moved: after that place, and not attempted since the merchant's clock was moved to `movedTo`. */
type DeliveriesToMove = { readonly after: DeliveryPlace; readonly movedTo: Instant; readonly atMost: number };

/** Moves a portion of a merchant's pending deliveries nearer. Returns the place after which the next portion begins. */
export async function bringDeliveriesForward(
  tx: Tx,
  merchantId: string,
  seconds: number,
  { after, movedTo, atMost }: DeliveriesToMove,
): Promise<DeliveryPlace | undefined> {
  const place = [merchantId, after.webhookId, after.due, after.eventId, atMost, at(movedTo)];
  const found = await tx.rows<DeliveryPlace>(LIST_TO_MOVE, place);
  // An array of events is looked up as such, whatever the planner believes; pairs with an endpoint were not.
  for (const [webhookId, ofOne] of Map.groupBy(found, (one) => one.webhookId)) {
    const events = ofOne.map(({ eventId }) => eventId);
    await tx.rows(BRING_FORWARD, [merchantId, seconds, webhookId, events, at(movedTo)]);
  }
  return found.length < atMost ? undefined : found.at(-1);
}

export type AttemptPage = {
  readonly before: AttemptPlace;
  readonly limit: number;
  /** When it was attempted: the first moment, and the one after the last. */
  readonly range?: { readonly from: Instant | undefined; readonly to: Instant | undefined } | undefined;
};

export async function listAttempts(
  tx: Tx,
  merchantId: Id<"merchant">,
  eventId: Id<"event">,
  { before, limit, range }: AttemptPage,
): Promise<readonly Attempt[]> {
  const { attemptedAt, webhookId, attempt } = before;
  const moment = attemptedAt === null ? "infinity" : at(attemptedAt);
  const place = [merchantId, eventId, moment, webhookId, attempt, limit];
  if (range === undefined) return tx.rows<Attempt>(LIST, place);
  const from = range.from === undefined ? "-infinity" : at(range.from);
  const to = range.to === undefined ? "infinity" : at(range.to);
  return tx.rows<Attempt>(LIST_OF_RANGE, [...place, from, to]);
}

type OldEvent = { readonly merchantId: string; readonly id: string; readonly createdAt: Instant };

/** Deletes the oldest events of a range of time, with their deliveries and attempts. */
export async function deleteOldEvents(tx: Tx, portion: Portion): Promise<Deleted> {
  const old = await tx.rows<OldEvent>(LIST_OLD, [startOf(portion), at(portion.before), portion.atMost]);
  if (old.length > 0) await tx.rows(DELETE_OLD, [old.map((one) => one.merchantId), old.map((one) => one.id)]);
  return { count: old.length, upTo: old.at(-1)?.createdAt ?? null };
}
