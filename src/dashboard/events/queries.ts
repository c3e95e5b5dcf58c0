import type { Merchant } from "../../features/merchants/index.ts";
import type { Id } from "../../kernel/ids.ts";
import { type Instant, later } from "../../kernel/time.ts";
import { onlyRow, type Statement, sql, type Tx } from "../../platform/db/database.ts";
import { TOTALLED_AT_MOST, type Total } from "../shell/lists/queries.ts";
import { ROWS_LOOKED_AT, ROWS_SHOWN, type Walk } from "../shell/lists/walk.ts";

export type EventRow = {
  readonly id: Id<"event">;
  readonly event: string;
  readonly resourceId: string;
  /** The resource's. */
  readonly reference: string | null;
  readonly createdAt: Instant;
};

const COLUMNS = `e.id, e.event, e.resource_id as "resourceId", e.body::json ->> 'reference' as reference,
  e.created_at as "createdAt"`;

/** A limit that the planner does not learn: with old statistics it would read all rows there are, and sort them. */
const AT_MOST = "limit (select $4::bigint)";

/** What leads the walk; each has an index. */
const WHERE = {
  "": "",
  event: "and event = $5",
  resource: "and resource_id = $5",
  failedOfResource: `and resource_id = $5 and exists (select from deliveries d where d.merchant_id = $1
    and d.event_id = e.id and d.status = 'failed' offset 0)`,
} as const;
type Kind = keyof typeof WHERE;

/** The walk of every list: a range of ids, newest or oldest first. */
const listed = (order: "asc" | "desc", kind: Kind) =>
  sql(
    `dashboard_events_${order}_${kind}`,
    `select ${COLUMNS} from events e where merchant_id = $1 and id >= $2 and id < $3
     ${WHERE[kind]} order by id ${order} ${AT_MOST}`,
  );

/** Events with a failed delivery, along the partial index of failed deliveries. */
const failed = (order: "asc" | "desc") =>
  sql(
    `dashboard_events_failed_${order}`,
    `select ${COLUMNS} from (
       select distinct event_id from deliveries where merchant_id = $1 and event_id >= $2 and event_id < $3
         and status = 'failed' order by event_id ${order} ${AT_MOST}) as d
     join events e on e.merchant_id = $1 and e.id = d.event_id order by e.id ${order}`,
  );

type Lead = Kind | "failed";

function statementsOf(order: "asc" | "desc"): Readonly<Record<Lead, Statement>> {
  return {
    "": listed(order, ""),
    event: listed(order, "event"),
    resource: listed(order, "resource"),
    failedOfResource: listed(order, "failedOfResource"),
    failed: failed(order),
  };
}

const STATEMENTS = {
  asc: statementsOf("asc"),
  desc: statementsOf("desc"),
};

export type EventFilter = {
  readonly event?: string | undefined;
  readonly failed: boolean;
  /** The id of the record that changed. */
  readonly resource?: string | undefined;
};

/** The statement that leads, and its values. What it leaves in is filtered afterwards. */
function leadOf({ event, resource, failed: onlyFailed }: EventFilter): readonly [Lead, ...string[]] {
  if (resource !== undefined) return [onlyFailed ? "failedOfResource" : "resource", resource];
  if (onlyFailed) return ["failed"];
  return event === undefined ? [""] : ["event", event];
}

type Portion = {
  readonly rows: readonly EventRow[];
  /** The events that were passed, fitting or not. */
  readonly passed: readonly EventRow[];
};

/** The events of a walk that fit, in portions. */
export async function* walkEvents(
  tx: Tx,
  merchantId: Id<"merchant">,
  walk: Walk,
  filter: EventFilter & { readonly atOnce: number },
): AsyncGenerator<Portion> {
  const { event, atOnce } = filter;
  const [lead, ...values] = leadOf(filter);
  let { low, high } = walk;
  for (;;) {
    const range = [merchantId, low, high, atOnce];
    const passed = await tx.rows<EventRow>(STATEMENTS[walk.order][lead], [...range, ...values]);
    yield { rows: passed.filter((row) => event === undefined || row.event === event), passed };
    const last = passed.at(-1);
    if (last === undefined || passed.length < atOnce) return;
    if (walk.order === "asc") low = `${last.id}~`;
    else high = last.id;
  }
}

const SEARCHED_AT_ONCE = 200;

/** The rows of one page. `cutAt` is the id at which the search was cut, if it was. */
export async function readEvents(
  tx: Tx,
  merchantId: Id<"merchant">,
  walk: Walk,
  filter: EventFilter,
): Promise<{ readonly rows: readonly EventRow[]; readonly cutAt: string | undefined }> {
  const isSearched = filter.event !== undefined && (filter.failed || filter.resource !== undefined);
  const atOnce = isSearched ? SEARCHED_AT_ONCE : ROWS_SHOWN + 1;
  const rows: EventRow[] = [];
  let looked = 0;
  for await (const portion of walkEvents(tx, merchantId, walk, { ...filter, atOnce })) {
    rows.push(...portion.rows);
    looked += portion.passed.length;
    if (rows.length > ROWS_SHOWN) break;
    if (looked >= ROWS_LOOKED_AT) return { rows, cutAt: portion.passed.at(-1)?.id };
  }
  return { rows: rows.slice(0, ROWS_SHOWN + 1), cutAt: undefined };
}

const OF_KIND = "filter (where $6::text is null or event = $6)";

const totalled = (kind: Kind) =>
  sql(
    `dashboard_events_total_${kind}`,
    `select count(*) as looked, count(*) ${kind === "" || kind === "event" ? "" : OF_KIND} as count
     from (select event from events e where merchant_id = $1 and id >= $2 and id < $3 ${WHERE[kind]}
       order by id desc ${AT_MOST}) as passed`,
  );

const TOTALS = {
  "": totalled(""),
  event: totalled("event"),
  resource: totalled("resource"),
  failedOfResource: totalled("failedOfResource"),
  failed: sql(
    "dashboard_events_total_failed",
    `select count(*) as looked, count(*) filter (where $5::text is null or e.event = $5) as count from (
       select distinct event_id from deliveries where merchant_id = $1 and event_id >= $2 and event_id < $3
         and status = 'failed' order by event_id desc ${AT_MOST}) as d
     join events e on e.merchant_id = $1 and e.id = d.event_id`,
  ),
};

/** Counts the events that fit, passing a bounded number of rows. */
export async function totalEvents(
  tx: Tx,
  merchantId: Id<"merchant">,
  { low, high }: Pick<Walk, "low" | "high">,
  filter: EventFilter,
): Promise<readonly Total[]> {
  const range = [merchantId, low, high, TOTALLED_AT_MOST + 1];
  const [lead, ...values] = leadOf(filter);
  const isCounted = lead !== "" && lead !== "event";
  const counts = await tx.rows<Pick<Total, "looked" | "count">>(TOTALS[lead], [
    ...range,
    ...values,
    ...(isCounted ? [filter.event ?? null] : []),
  ]);
  return [{ ...onlyRow(counts), currency: "", sums: [] }];
}

const EVENTS = sql(
  "dashboard_events_of_resources",
  `select id, event, resource_id as "resourceId", body::json ->> 'reference' as reference, created_at as "createdAt", body
   from events
   where merchant_id = $1 and resource_id = any ($2::text[]) order by id desc limit 300`,
);

export type EventWithBody = EventRow & { readonly body: string };

/** The newest events of these records. */
export async function eventsOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  ids: readonly string[],
): Promise<readonly EventWithBody[]> {
  return tx.rows<EventWithBody>(EVENTS, [merchantId, ids]);
}

const DELIVERIES = sql(
  "dashboard_deliveries_of_events",
  `select d.event_id as "eventId", d.webhook_id as "webhookId", d.status, d.attempts, d.http_status as "httpStatus",
     d.latency_ms as "latencyMs", d.error, case when d.latency_ms is not null then d.attempted_at end as "attemptedAt",
     case when d.status = 'pending' then d.due_at end as "nextAt", w.url
   from deliveries d left join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
   where d.merchant_id = $1 and d.event_id = any ($2::text[]) order by d.event_id, d.webhook_id`,
);

/** A delivery of an event to one subscription; moments on the merchant's clock. */
export type Delivery = {
  readonly eventId: string;
  readonly webhookId: string;
  readonly url: string | null;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  readonly attemptedAt: Instant | null;
  readonly nextAt: Instant | null;
};

export async function deliveriesOf(
  tx: Tx,
  merchant: Pick<Merchant, "id" | "clockOffset">,
  eventIds: readonly string[],
): Promise<readonly Delivery[]> {
  return onMerchantClock(merchant, await tx.rows<Delivery>(DELIVERIES, [merchant.id, eventIds]));
}

/** The database keeps the next attempt in real time; pages show the merchant's clock. */
export function onMerchantClock<Next extends Pick<Delivery, "nextAt">>(
  { clockOffset }: Pick<Merchant, "clockOffset">,
  deliveries: readonly Next[],
): readonly Next[] {
  return deliveries.map((one) => ({
    ...one,
    nextAt: one.nextAt === null ? null : later(one.nextAt, clockOffset),
  }));
}
