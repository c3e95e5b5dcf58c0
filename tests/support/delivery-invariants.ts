import assert from "node:assert/strict";
import { verifyWebhook } from "../../packages/client/src/webhooks.ts";
import { RETRY_WAITS } from "../../src/features/deliveries/delivery.ts";
import type { Received } from "./receiver.ts";

/** I10, and the part of I11 that the tables can prove. */
export const DELIVERY_RULES = [
  {
    id: "I10",
    about: "an event of an active subscription has no delivery",
    sql: `select e.id as subject from events e join webhooks w
            on w.merchant_id = e.merchant_id and w.event in (e.event, '*') and w.status = 'active'
          where e.created_at > w.updated_at and not exists (
            select from deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.id and d.webhook_id = w.id)`,
  },
  {
    id: "I10",
    about: "a delivery has no event",
    sql: `select d.event_id as subject from deliveries d where not exists (
            select from events e where e.merchant_id = d.merchant_id and e.id = d.event_id)`,
  },
  {
    id: "I10",
    about: "a delivery is delivered, but no endpoint acknowledged it",
    sql: `select event_id as subject from deliveries
          where status = 'delivered' and (http_status is null or http_status not between 200 and 299)`,
  },
  {
    id: "I10",
    about: "a delivery was given up before the end of its retries",
    sql: `select event_id as subject from deliveries where status = 'failed' and failures < 10
          and http_status is distinct from 410 and coalesce(error, '') not in ('subscription_disabled', 'subscription_deleted')`,
  },
  {
    id: "I10",
    about: "the number of attempts differs from the attempt log",
    sql: `select d.event_id as subject from deliveries d where d.attempts <> (
            select count(*) from (
              select attempt from delivery_attempts a
              where a.merchant_id = d.merchant_id and a.event_id = d.event_id and a.webhook_id = d.webhook_id
              union select d.attempts where d.attempts > 0 and d.latency_ms is not null) as made)`,
  },
  {
    id: "I11",
    about: "the body of an event is not its envelope",
    sql: `select id as subject from events where body::json ->> 'id' <> id or body::json ->> 'event' <> event
          or body::json -> 'payload' is null`,
  },
] as const;

const WAITING = `deliveries d join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
            and w.status = 'active' and d.status = 'pending'`;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** The longest wait after so many failures, without what an endpoint asks for in `Retry-After`. */
const LONGEST_WAIT_MS = `(array[${RETRY_WAITS.map((wait) => 1.2 * wait).join(", ")}])[d.failures]`;

/** Rules that hold at rest, whatever the endpoints answer: a delivery waits only for the retry after a failed attempt. */
export const DELIVERIES_AT_REST = [
  {
    id: "I21",
    about: "a delivery is overdue",
    sql: `select d.event_id as subject from ${WAITING} where d.due_at < now() - interval '15 seconds'`,
  },
  {
    id: "I21",
    // A machine without a network sends nothing, and tries again a minute later.
    about: "a delivery waits, although no attempt of it failed",
    sql: `select d.event_id as subject from ${WAITING}
          where (d.failures = 0 and d.error is distinct from 'network_unreachable')
            or (d.failures > 0 and d.http_status between 200 and 299)`,
  },
  {
    id: "I21",
    // After a timeout it is a minute at least. An endpoint that answers may ask for a day.
    about: "a delivery waits for longer than its schedule says",
    sql: `select d.event_id as subject from ${WAITING}
          where d.error is distinct from 'network_unreachable'
          and extract(epoch from d.due_at - now()) * 1000 > 1000 + greatest(${LONGEST_WAIT_MS},
            case when d.http_status is not null then ${DAY_MS} when d.error = 'timeout' then 60000 end)`,
  },
] as const;

/**
 * I11 on what receivers got: every delivery verifies by both schemes, and one event has one body, byte for byte. Several
 * keys while one is replaced.
 */
export function assertReceived(received: readonly Received[], signingKey: string | readonly string[]): void {
  const bodies = new Map<string, string>();
  for (const { body, headers, at } of received) {
    const standard = verifyWebhook({ body, headers, key: signingKey, now: at, standardOnly: true });
    const { "webhook-signature": _, ...plain } = headers;
    assert.deepEqual(verifyWebhook({ body, headers: plain, key: signingKey }), standard);
    assert.equal(headers["webhook-id"], standard.id);
    assert.equal(bodies.get(standard.id) ?? body, body, `${standard.id} was delivered with two bodies`);
    bodies.set(standard.id, body);
  }
}
