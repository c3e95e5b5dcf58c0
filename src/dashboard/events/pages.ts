import { html } from "../../../browser/ui/html.ts";
import { redeliverEvent } from "../../features/deliveries/index.ts";
import { findEvent } from "../../features/events/index.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import { requireId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { deliveriesOfEvent } from "../payments/read-payment.ts";
import { deliveryWords, summaryOf } from "../payments/view.ts";
import { shortId, whenCell } from "../shell/lists/rows.ts";
import { choiceField, listPage } from "../shell/lists/view.ts";
import { panel } from "../shell/parts/facts.ts";
import { postButton } from "../shell/parts/form.ts";
import { emptyState } from "../shell/parts/table.ts";
import type { MerchantPage, MerchantVisit, PageAnswer } from "../shell/visit.ts";
import { readEvents } from "./read-events.ts";
import { KINDS } from "./redeliver-pages.ts";

/** The event log with its deliveries, and another delivery of one event. */
export const eventPages: readonly MerchantPage[] = [
  { method: "GET", path: "/events", may: "read", run: showEvents },
  {
    method: "GET",
    path: "/events/:eventId",
    may: "read",
    run: async (ctx, visit) => {
      const { merchant, base, formToken } = visit;
      const id = requireId("event", visit.params["eventId"] ?? "");
      const event = (await findEvent(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
      const deliveries = await deliveriesOfEvent(ctx, merchant, id);
      const now = clockOf(ctx, merchant);
      const again =
        visit.may("act") &&
        postButton({ action: `${base}/events/${id}/redeliver`, formToken, button: "Deliver again" });
      const rows = deliveries.map((one) => {
        const nextAt = one.nextAt === null ? null : one.nextAt + merchant.clockOffset;
        return html`<li>${deliveryWords({ ...one, nextAt }, now)}</li>`;
      });
      const sent =
        rows.length === 0
          ? html`<p class="muted">Nobody was subscribed.</p>`
          : html`<ul class="deliveries">${rows}</ul>`;
      const content = html`${panel("Deliveries", sent, again === false ? undefined : again)}
<h2 class="json-head">JSON</h2><pre class="json" tabindex="0" aria-label="The event as it is delivered">${JSON.stringify(JSON.parse(event.body), null, 2)}</pre>`;
      return { title: `Event ${shortId(id)}`, section: "events", content };
    },
  },
  {
    method: "POST",
    path: "/events/:eventId/redeliver",
    may: "act",
    audit: "event delivered again",
    back: backOf,
    run: async (ctx, visit) => {
      const { attempts } = await redeliverEvent(
        ctx,
        visit.caller,
        requireId("event", visit.params["eventId"] ?? ""),
      );
      const words = `The event is on its way to ${attempts.length === 1 ? "its subscription" : `${attempts.length} subscriptions`} again.`;
      return { goTo: backOf(visit), say: { tone: "good", words } };
    },
  },
];

/** A form may be on another page; where it leads back to is one of this merchant's pages in any case. */
function backOf({ base, params, query }: MerchantVisit): string {
  const asked = query["back"] ?? "";
  return asked.startsWith(`${base}/`) && !/[\s\\]/.test(asked)
    ? asked
    : `${base}/events/${params["eventId"] ?? ""}`;
}

async function showEvents(ctx: Context, visit: MerchantVisit): Promise<PageAnswer> {
  const { merchant, base, query } = visit;
  const at = { base, zone: zoneOf(merchant) };
  const kind = EVENT_VALUES.find((value) => value === query["event"]);
  const failed = query["delivery"] === "failed";
  const { before, after } = query;
  const page = await readEvents(ctx, merchant, { before, after, event: kind, failed });
  const asked = { ...(kind === undefined ? {} : { event: kind }), ...(failed ? { delivery: "failed" } : {}) };
  const list = listPage({
    path: `${base}/events`,
    asked,
    fields: [
      choiceField(asked, "event", "Event", KINDS),
      choiceField(asked, "delivery", "Delivery", [["failed", "given up"]]),
    ],
    caption: "Events",
    stacks: true,
    columns: [{ head: "Event" }, { head: "About" }, { head: "Delivery" }, { head: "Created" }],
    rows: page.rows.map((row) => [
      html`<a href="${base}/events/${row.id}">${shortId(row.id)}</a>`,
      html`${row.event.replace("_", " ")} <span class="muted">${shortId(row.resourceId)}</span>`,
      summaryOf(row.deliveries),
      whenCell(row.createdAt, at),
    ]),
    newer: page.newer,
    older: page.older,
    deep: before !== undefined || after !== undefined,
    empty: emptyState("Every change of a payment, customer or payout is an event and appears here."),
  });
  const again = html`<p class="beneath">Your endpoint was away? <a href="${base}/events/redeliver">Deliver a stretch of time again</a></p>`;
  return {
    title: "Events",
    section: "events",
    content: html`${list}${visit.may("act") && page.rows.length > 0 && again}`,
  };
}
