import { newId } from "../../kernel/ids.ts";
import { type Instant, toIso } from "../../kernel/time.ts";
import { at, type Cell, sql, type Tx } from "../db/database.ts";
import { namesOf } from "../db/json-rows.ts";

export const EVENT_VALUES = [
  "transactions",
  "payouts",
  "customers",
  "payment_instruments",
  "payment_requests",
  "disputes",
] as const;
export type EventValue = (typeof EVENT_VALUES)[number];

/** A change of a resource that webhooks report. The payload is the resource as its GET answers it. */
export type Change = {
  readonly merchantId: string;
  readonly event: EventValue;
  readonly resourceId: string;
  readonly reference: string;
  readonly at: Instant;
  readonly payload: object;
};

/** Columns of the events table, in the order of `eventValues`. For statements that write an event and a resource. */
export const EVENT_ROW = {
  merchant_id: "text",
  id: "text",
  event: "text",
  resource_id: "text",
  created_at: "timestamptz",
  body: "text",
} as const;
export const EVENT_COLUMNS = namesOf(EVENT_ROW);

const INSERT = sql("event_insert", `insert into events (${EVENT_COLUMNS}) values ($1, $2, $3, $4, $5, $6)`, {
  emitsEvent: true,
});

/** Writes the event in the transaction of the change: there is never one without the other. */
export async function publish(tx: Tx, change: Change): Promise<void> {
  await tx.rows(INSERT, eventValues(change));
}

/** The envelope is made once; every delivery sends these bytes. */
export function eventValues(change: Change): readonly Cell[] {
  const id = newId("event", change.at);
  const envelope = {
    id,
    reference: change.reference,
    created: toIso(change.at),
    version: "1.0.0",
    event: change.event,
    payload: change.payload,
  };
  return [change.merchantId, id, change.event, change.resourceId, at(change.at), JSON.stringify(envelope)];
}
