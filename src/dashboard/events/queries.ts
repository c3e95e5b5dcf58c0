import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { sql, type Tx } from "../../platform/db/database.ts";

export type EventLine = {
  readonly id: Id<"event">;
  readonly event: string;
  readonly resourceId: string;
  readonly createdAt: Instant;
};

const COLUMNS = `e.id, e.event, e.resource_id as "resourceId", e.created_at as "createdAt"`;

/** The walk of any list: a stretch of ids, newest first or oldest first. */
const listed = (order: "asc" | "desc", kind: "" | "event") =>
  sql(
    `dashboard_events_${order}_${kind}`,
    `select ${COLUMNS} from events e where merchant_id = $1 and id >= $2 and id < $3
     ${kind === "" ? "" : "and event = $5"} order by id ${order} limit $4`,
  );

/** Those with a delivery that was given up: along the index that holds such alone. */
const failed = (order: "asc" | "desc") =>
  sql(
    `dashboard_events_failed_${order}`,
    `select ${COLUMNS} from (
       select distinct event_id from deliveries where merchant_id = $1 and event_id >= $2 and event_id < $3
         and status = 'failed' order by event_id ${order} limit $4) as d
     join events e on e.merchant_id = $1 and e.id = d.event_id order by e.id ${order}`,
  );

const STATEMENTS = {
  asc: { all: listed("asc", ""), byEvent: listed("asc", "event"), failed: failed("asc") },
  desc: { all: listed("desc", ""), byEvent: listed("desc", "event"), failed: failed("desc") },
};

export async function walkEvents(
  tx: Tx,
  merchantId: Id<"merchant">,
  walk: { readonly low: string; readonly high: string; readonly backwards: boolean },
  limit: number,
  filter: { readonly event?: string | undefined; readonly failed: boolean },
): Promise<readonly EventLine[]> {
  const { all, byEvent, failed: given } = STATEMENTS[walk.backwards ? "asc" : "desc"];
  const range = [merchantId, walk.low, walk.high, limit];
  if (filter.failed) return tx.rows<EventLine>(given, range);
  return filter.event === undefined
    ? tx.rows<EventLine>(all, range)
    : tx.rows<EventLine>(byEvent, [...range, filter.event]);
}
