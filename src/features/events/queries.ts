import type { Id } from "../../kernel/ids.ts";
import { sql, type Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/lists.ts";

/** An event as it was announced; `body` is the envelope that is delivered. */
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
