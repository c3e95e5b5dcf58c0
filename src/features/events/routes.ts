import { refuse } from "../../kernel/refusal.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import type { Route } from "../../platform/http/route.ts";
import type { Static } from "../../platform/http/schema.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { type EventRow, findEvent, listEvents } from "./queries.ts";
import { EVENT_FILTERS, EventAnswer, EventInList } from "./wire.ts";

const GROUP = "Events";

const envelopeOf = (row: EventRow) => JSON.parse(row.body) as Static<typeof EventInList>;

export const eventRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/events",
    name: "listEvents",
    group: GROUP,
    summary: "List events",
    about: "Every change of a resource, in the form that webhooks deliver.",
    scope: "read",
    query: listQuery("event", EVENT_FILTERS),
    answer: listAnswer("events", EventInList, RESULT_OK),
    run: async (ctx, { caller, query }) => {
      const page = pageOf("event", query);
      const { event, resourceid: resourceId } = query;
      const filters = { ...(event && { event }), ...(resourceId && { resourceId }) };
      const { shown, nextCursor } = cutPage(
        await listEvents(ctx.reads, caller.merchantId, page, filters),
        page,
      );
      return { count: shown.length, events: shown.map(envelopeOf), nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/events/{eventId}",
    name: "getEvent",
    group: GROUP,
    summary: "Read an event",
    about: "The envelope as it is delivered, and `result` beside it.",
    scope: "read",
    answer: EventAnswer,
    run: async (ctx, { caller, params }) => {
      const row =
        (await findEvent(ctx.db, caller.merchantId, params.eventId)) ?? refuse("resource_not_found");
      return { ...envelopeOf(row), result: ok(caller.mode) };
    },
  }),
];
