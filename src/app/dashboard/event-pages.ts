import { choiceField, listPage } from "../../../browser/dashboard/lists/list-page.ts";
import { shortId, whenCell } from "../../../browser/dashboard/lists/rows.ts";
import { panel } from "../../../browser/dashboard/parts/facts.ts";
import { choice, field, postButton, postForm } from "../../../browser/dashboard/parts/form.ts";
import { emptyState } from "../../../browser/dashboard/parts/table.ts";
import { deliveryWords, summaryOf } from "../../../browser/dashboard/payment/payment-page.ts";
import { html } from "../../../browser/ui/html.ts";
import { deliveriesOfEvent, readEvents } from "../../features/dashboard/index.ts";
import { redeliverEvent, redeliverRange } from "../../features/deliveries/index.ts";
import { findEvent } from "../../features/events/index.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { parseDateTime, toIso } from "../../kernel/time.ts";
import { EVENT_VALUES } from "../../platform/outbox/announce.ts";
import { clockOf, type World } from "../../platform/world.ts";
import type { MerchantPage, MerchantVisit, PageAnswer } from "./visit.ts";

const KINDS = EVENT_VALUES.map((value) => [value, value.replace("_", " ")] as const);

/** The event log with its deliveries, and another delivery of one event or of many. */
export const eventPages: readonly MerchantPage[] = [
  { method: "GET", path: "/events", may: "read", run: (world, visit) => showEvents(world, visit, {}, {}) },
  {
    method: "GET",
    path: "/events/:eventId",
    may: "read",
    run: async (world, visit) => {
      const { merchant, base, formToken } = visit;
      const id = parseId("event", visit.params["eventId"] ?? "") ?? refuse("V11010");
      const event = (await findEvent(world.db, merchant.id, id)) ?? refuse("V11010");
      const deliveries = await deliveriesOfEvent(world, merchant, id);
      const now = clockOf(world, merchant);
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
    run: async (world, visit) => {
      const { attempts } = await redeliverEvent(world, visit.caller, visit.params["eventId"] ?? "");
      const words = `The event is on its way to ${attempts.length === 1 ? "its subscription" : `${attempts.length} subscriptions`} again.`;
      return { goTo: backOf(visit), say: { tone: "good", words } };
    },
  },
  {
    method: "POST",
    path: "/events/redeliver",
    may: "act",
    audit: "events of a stretch of time delivered again",
    run: async (world, visit) => {
      const { from = "", to = "", event = "" } = visit.fields;
      const [createdFrom, createdTo] = [momentOf(from), momentOf(to)];
      const problems = {
        ...(createdFrom === undefined ? { from: "Type a moment such as 2026-11-15 09:00." } : {}),
        ...(createdTo === undefined ? { to: "Type a moment such as 2026-11-15 10:00." } : {}),
      };
      if (createdFrom === undefined || createdTo === undefined)
        return showEvents(world, visit, visit.fields, problems, 400);
      const count = await redeliverRange(world, visit.caller, {
        createdFrom,
        createdTo,
        ...(event === "" ? {} : { event }),
      });
      return {
        goTo: `${visit.base}/events`,
        say: {
          tone: "good",
          words:
            count === 1 ? "1 delivery is on its way again." : `${count} deliveries are on their way again.`,
        },
      };
    },
    again: async (world, visit, refused) =>
      showEvents(world, visit, visit.fields, {
        from: refused.byField["/createdFrom"],
        to:
          refused.byField["/createdTo"] ??
          (refused.byField["/createdFrom"] === undefined ? refused.words : undefined),
      }),
  },
];

/** A form may be on another page; where it leads back to is one of this merchant's pages in any case. */
function backOf({ base, params, query }: MerchantVisit): string {
  const asked = query["back"] ?? "";
  return asked.startsWith(`${base}/`) && !/[\s\\]/.test(asked)
    ? asked
    : `${base}/events/${params["eventId"] ?? ""}`;
}

/** UTC, with or without its seconds: `2026-11-15 09:00`. */
function momentOf(typed: string): string | undefined {
  const text = typed.trim().replace(" ", "T").replace(/Z?$/, "Z");
  const moment = parseDateTime(text);
  return moment === undefined ? undefined : toIso(moment);
}

async function showEvents(
  world: World,
  visit: MerchantVisit,
  typed: Readonly<Record<string, string>>,
  problems: { readonly from?: string | undefined; readonly to?: string | undefined },
  status = 200,
): Promise<PageAnswer> {
  const { merchant, base, query, formToken } = visit;
  const at = { base, zone: zoneOf(merchant) };
  const kind = EVENT_VALUES.find((value) => value === query["event"]);
  const failed = query["delivery"] === "failed";
  const { before, after } = query;
  const page = await readEvents(world, merchant, { before, after, event: kind, failed });
  const asked = { ...(kind === undefined ? {} : { event: kind }), ...(failed ? { delivery: "failed" } : {}) };
  const list = listPage({
    path: `${base}/events`,
    asked,
    fields: [
      choiceField(asked, "event", "Event", KINDS),
      choiceField(asked, "delivery", "Delivery", [["failed", "given up"]]),
    ],
    caption: "Events",
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
  const now = clockOf(world, merchant);
  const text = (moment: number) => new Date(moment).toISOString().slice(0, 16).replace("T", " ");
  const range = postForm({
    action: `${base}/events/redeliver`,
    formToken,
    button: "Deliver again",
    confirm: "Deliver all events of this time again?",
    content: html`<p class="muted">Your endpoint was away? Everything of a stretch of time is sent once more, at most 10,000 events.</p><div class="two">${field({ name: "from", label: "From (UTC)", value: typed["from"] ?? text(now - 3_600_000), problem: problems.from })}${field({ name: "to", label: "To (UTC)", value: typed["to"] ?? text(now + 60_000), problem: problems.to })}</div>${choice({ name: "event", label: "Event", value: typed["event"] ?? "", among: [{ value: "", label: "Any" }, ...KINDS.map(([value, label]) => ({ value, label }))] })}`,
  });
  const content = html`${list}${visit.may("act") && panel("Deliver a stretch of time again", range)}`;
  return { title: "Events", section: "events", content, status };
}
