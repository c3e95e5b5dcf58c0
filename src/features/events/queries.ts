import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { byMerchant } from "../../platform/db/by-merchant.ts";
import { sql, type Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { EventValue } from "../../platform/outbox/publish.ts";

/** A published event; `body` is the envelope that webhooks deliver. */
export type EventRow = { readonly id: Id<"event">; readonly body: string };

const FIND = sql("event_find", "select id, body from events where merchant_id = $1 and id = $2");

const listStatement = (name: string, filter: string) =>
  sql(
    `event_list${name}`,
    `select id, body from events where merchant_id = $1 and id < $2 and id >= $3 ${filter} order by id desc limit $4`,
  );

const LIST = {
  all: listStatement("", ""),
  byEvent: listStatement("_by_event", "and event = $5"),
  byResource: listStatement("_by_resource", "and resource_id = $5"),
  byBoth: listStatement("_by_resource_and_event", "and resource_id = $5 and event = $6"),
};

const listAfter = (merchant: string) =>
  `select made.* from unnest($1::text[], $2::text[]) as place (merchant_id, after)
   cross join lateral (
     select merchant_id as "merchantId", id, event, created_at as "createdAt" from events
     where merchant_id = ${merchant} and id > place.after order by id limit $3
   ) made order by "createdAt", id`;

/** Per merchant, the events after a given id, in the order of ids. */
const LIST_AFTER = sql("event_list_after", listAfter("place.merchant_id"), {
  distributed: listAfter("($1::text[])[1]"),
});

export type EventPlace = {
  readonly merchantId: Id<"merchant">;
  readonly id: Id<"event">;
  readonly event: EventValue;
  readonly createdAt: Instant;
};

export type EventFilters = { readonly event?: string; readonly resourceId?: string };

export async function findEvent(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"event">,
): Promise<EventRow | undefined> {
  const [row] = await tx.rows<EventRow>(FIND, [merchantId, id]);
  return row;
}

export async function listEvents(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { event, resourceId }: EventFilters,
): Promise<readonly EventRow[]> {
  const range = [merchantId, page.before, page.from, page.limit];
  if (resourceId !== undefined && event !== undefined)
    return tx.rows(LIST.byBoth, [...range, resourceId, event]);
  if (resourceId !== undefined) return tx.rows(LIST.byResource, [...range, resourceId]);
  if (event !== undefined) return tx.rows(LIST.byEvent, [...range, event]);
  return tx.rows(LIST.all, range);
}

export async function listEventsAfter(
  tx: Tx,
  places: ReadonlyMap<Id<"merchant">, string>,
  limit: number,
): Promise<readonly EventPlace[]> {
  const items = [...places].map(([merchantId, after]) => ({ merchantId, after }));
  const found = await byMerchant(tx, items, (some) =>
    tx.rows<EventPlace>(LIST_AFTER, [
      some.map(({ merchantId }) => merchantId),
      some.map(({ after }) => after),
      limit,
    ]),
  );
  return found.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}
