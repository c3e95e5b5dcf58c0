import { redeliverEvent } from "../../features/deliveries/index.ts";
import { findEvent } from "../../features/events/index.ts";
import { defined } from "../../kernel/defined.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { shortId } from "../shell/lists/view.ts";
import { cutWalk, walkOf } from "../shell/lists/walk.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import { deliveriesOf, walkEvents } from "./queries.ts";
import { eventsView, eventView } from "./view.ts";

/** The event log with its deliveries, and the redelivery of one event. */
export const eventPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: "/events", right: "read", run: showEvents }),
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
  const event = EVENT_VALUES.find((value) => value === query["event"]);
  const failed = query["delivery"] === "failed";
  const place = { before: query["before"], after: query["after"] };
  const walk = walkOf("event", place);
  const read = await walkEvents(ctx.reads, merchant.id, walk, { event, failed });
  const page = cutWalk(walk, place, read, undefined);
  const ids = page.rows.map(({ id }) => id);
  const deliveries = await deliveriesOf(ctx.reads, merchant, ids);
  const filled = defined({ event, delivery: failed ? "failed" : undefined });
  return {
    title: "Events",
    section: "events",
    content: eventsView(visit, { filled, page, deliveries }),
  };
}
