import { redeliverEvent } from "../../features/deliveries/index.ts";
import { findEvent } from "../../features/events/index.ts";
import type { Merchant } from "../../features/merchants/index.ts";
import { defined } from "../../kernel/defined.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { instant, toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { type CsvSpec, csvOf } from "../../platform/http/csv.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { daysIn } from "../shell/lists/list-page.ts";
import { rangeOf } from "../shell/lists/read-list.ts";
import { shortId } from "../shell/lists/view.ts";
import { cutWalk, type Walk, walkOf } from "../shell/lists/walk.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import {
  type Delivery,
  deliveriesOf,
  type EventFilter,
  type EventRow,
  readEvents,
  totalEvents,
  walkEvents,
} from "./queries.ts";
import { eventsView, eventView, worstOf } from "./view.ts";

/** The event log with its deliveries, and the redelivery of one event. */
export const eventPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: "/events", right: "read", run: showEvents }),
  merchantPage({
    method: "GET",
    path: "/events.csv",
    right: "read",
    run: async (ctx, visit) => {
      const { merchant, query } = visit;
      const walk = walkOf("event", await rangeOf(ctx, merchant, daysOf(query)));
      return {
        file: csvOf(walkLines(ctx, merchant, walk, filterOf(query)), { ...EVENTS_CSV, zone: visit.zone }),
        type: "text/csv; charset=utf-8",
        name: `${["events", ...daysIn(query)].join("-")}.csv`,
      };
    },
  }),
  merchantPage({
    method: "GET",
    path: "/events/{eventId}",
    right: "read",
    run: async (ctx, visit) => {
      const { merchant, params } = visit;
      const event = (await findEvent(ctx.db, merchant.id, params.eventId)) ?? refuse("resource_not_found");
      const deliveries = await deliveriesOf(ctx.db, merchant, [params.eventId]);
      return {
        title: `Event ${shortId(params.eventId)}`,
        section: "events",
        content: eventView(visit, event.body, deliveries),
      };
    },
  }),
  merchantPage({
    method: "POST",
    path: "/events/{eventId}/redeliver",
    right: "act",
    audit: "event delivered again",
    backTo: pathBack,
    run: async (ctx, visit) => {
      const { attempts } = await redeliverEvent(ctx, visit.caller, visit.params.eventId);
      const words = `The event is on its way to ${attempts.length === 1 ? "its subscription" : `${attempts.length} subscriptions`} again.`;
      return redirect(pathBack(visit), words);
    },
  }),
];

/** The form may be on another page, which `back` names; it is followed only to a page of this merchant. */
function pathBack({ base, params, query }: MerchantVisit<"{eventId}">): string {
  const back = query["back"] ?? "";
  return back.startsWith(`${base}/`) && !/[\s\\]/.test(back) ? back : `${base}/events/${params.eventId}`;
}

async function showEvents(ctx: Context, visit: MerchantVisit): Promise<PageAnswer> {
  const { merchant, query } = visit;
  const filter = filterOf(query);
  if (filter.resource !== undefined && parseId("event", filter.resource) !== undefined)
    return { goTo: `${visit.base}/events/${filter.resource}` };
  const days = daysOf(query);
  const filled = defined({
    ...days,
    q: filter.resource,
    event: filter.event,
    delivery: filter.failed ? "failed" : undefined,
  });
  const place = await rangeOf(ctx, merchant, { ...days, before: query["before"], after: query["after"] });
  const walk = walkOf("event", place);
  const [{ rows, cutAt }, totals] = await Promise.all([
    readEvents(ctx.reads, merchant.id, walk, filter),
    Object.keys(filled).length === 0
      ? undefined
      : totalEvents(ctx.reads, merchant.id, walkOf("event", { from: place.from, to: place.to }), filter),
  ]);
  const page = cutWalk(walk, place, rows, cutAt);
  const ids = page.rows.map(({ id }) => id);
  const deliveries = await deliveriesOf(ctx.reads, merchant, ids);
  return {
    title: "Events",
    section: "events",
    content: eventsView(visit, { filled, page, deliveries, totals }),
  };
}

function filterOf(query: FormFields): EventFilter {
  const event = EVENT_VALUES.find((value) => value === query["event"]);
  const searched = query["q"]?.trim();
  return { event, failed: query["delivery"] === "failed", resource: searched === "" ? undefined : searched };
}

function daysOf(query: FormFields): { readonly from?: string; readonly to?: string } {
  const filled = (name: "from" | "to") => (query[name]?.trim() === "" ? undefined : query[name]);
  return defined({ from: filled("from"), to: filled("to") });
}

type EventLine = EventRow & { readonly deliveries: readonly Delivery[] };

const LINES_AT_ONCE = 1_000;

async function* walkLines(
  ctx: Context,
  merchant: Merchant,
  walk: Walk,
  filter: EventFilter,
): AsyncGenerator<readonly EventLine[]> {
  for await (const { rows } of walkEvents(ctx.reads, merchant.id, walk, {
    ...filter,
    atOnce: LINES_AT_ONCE,
  })) {
    const ids = rows.map(({ id }) => id);
    const sent = Map.groupBy(await deliveriesOf(ctx.reads, merchant, ids), ({ eventId }) => eventId);
    yield rows.map((row) => ({ ...row, deliveries: sent.get(row.id) ?? [] }));
  }
}

const EVENTS_CSV: CsvSpec<EventLine> = {
  columns: ["event", "resourceId", "deliveries", "attempts", "lastAttemptDateTime"],
  common: ({ id, resourceId, reference, createdAt, deliveries }) => ({
    id,
    transactionId: resourceId.startsWith("txn_") ? resourceId : null,
    reference: reference ?? "",
    createdAt,
    updatedAt: createdAt,
    status: worstOf(deliveries) ?? "none",
  }),
  cells: ({ event, resourceId, deliveries }) => {
    const last = Math.max(...deliveries.map(({ attemptedAt }) => attemptedAt ?? 0));
    return [
      event,
      resourceId,
      deliveries.length,
      deliveries.reduce((sum, { attempts }) => sum + attempts, 0),
      last > 0 ? toIso(instant(last)) : null,
    ];
  },
  totals: [],
};
