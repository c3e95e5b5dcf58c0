import { type Html, html } from "../../../browser/ui/html.ts";
import { idMoment } from "../../kernel/ids.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import type { Total } from "../shell/lists/queries.ts";
import { totalsView } from "../shell/lists/totals-view.ts";
import {
  choiceField,
  dayFields,
  type Filled,
  listView,
  nameCell,
  searchField,
  shortId,
  timeCell,
} from "../shell/lists/view.ts";
import type { Walked } from "../shell/lists/walk.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { panel } from "../shell/parts/facts.ts";
import { postButton } from "../shell/parts/form.ts";
import { emptyState } from "../shell/parts/table.ts";
import { dueText } from "../shell/times.ts";
import { answerWords } from "./delivery-words.ts";
import type { Delivery, EventRow } from "./queries.ts";

export const EVENT_NAMES = EVENT_VALUES.map((value) => [value, value.replace("_", " ")] as const);

type EventPage = {
  readonly filled: Filled;
  readonly page: Walked<EventRow>;
  readonly deliveries: readonly Delivery[];
  /** Of what is filtered. */
  readonly totals: readonly Total[] | undefined;
};

export function eventsView(visit: MerchantVisit, { filled, page, deliveries, totals }: EventPage): Html {
  const { base, may } = visit;
  const rows = page.rows.map((row) => [
    nameCell(`${base}/events/${row.id}`, nameOf(row), row.id),
    row.event.replace("_", " "),
    deliverySummary(deliveries.filter(({ eventId }) => eventId === row.id)),
    timeCell(row.createdAt, visit),
  ]);
  const list = listView(visit, {
    section: "events",
    filled,
    fields: [
      searchField(filled, "Id of an event or of its record"),
      choiceField(filled, "event", "Event", EVENT_NAMES),
      choiceField(filled, "delivery", "Delivery", [["failed", "failed"]]),
      ...dayFields(filled),
    ],
    cutAt: page.lookedBackTo === undefined ? undefined : idMoment(page.lookedBackTo),
    totals:
      totals === undefined || rows.length === 0
        ? undefined
        : totalsView(totals, { rows: ["event", "events"], heads: [] }),
    caption: "Events",
    stacks: true,
    columns: [{ head: "Reference" }, { head: "Event" }, { head: "Delivery" }, { head: "Created" }],
    page: { ...page, rows },
    empty: emptyState("Every change of a payment, customer or payout is an event and appears here."),
  });
  const again = html`<p class="beneath">Your endpoint was down? <a href="${base}/events/redeliver">Deliver a time range again</a></p>`;
  return html`${list}${may("act") && rows.length > 0 && again}`;
}

/** The record's reference; without one, the end of its id. */
function nameOf({ reference, resourceId }: EventRow): string {
  return reference === null || reference === resourceId ? shortId(resourceId) : reference;
}

export function eventView(
  { base, params, formToken, now, may }: MerchantVisit<"{eventId}">,
  body: string,
  deliveries: readonly Delivery[],
): Html {
  const action = `${base}/events/${params.eventId}/redeliver`;
  const again = may("act") ? postButton({ action, formToken, button: "Deliver again" }) : undefined;
  const sent =
    deliveries.length === 0
      ? html`<p class="muted">No subscription was active.</p>`
      : html`<ul class="deliveries">${deliveries.map((one) => html`<li>${deliveryWords(one, now)}</li>`)}</ul>`;
  return html`${panel("Deliveries", sent, again)}
<h2 class="json-head">JSON</h2><pre class="json" tabindex="0" aria-label="The event as it is delivered">${JSON.stringify(JSON.parse(body), null, 2)}</pre>`;
}

/** The worst state among an event's deliveries. */
export function deliverySummary(deliveries: readonly Pick<Delivery, "status">[]): Html {
  if (deliveries.length === 0) return html`<span class="muted">no subscription</span>`;
  return deliveryBadge(worstOf(deliveries) ?? "delivered");
}

/** Of a delivery, pending means that an attempt follows. */
function deliveryBadge(status: Delivery["status"]): Html {
  return status === "pending" ? badge("waiting", "waiting") : badge(status);
}

export function worstOf(deliveries: readonly Pick<Delivery, "status">[]): Delivery["status"] | undefined {
  return (["failed", "pending", "delivered"] as const).find((status) =>
    deliveries.some((one) => one.status === status),
  );
}

export function deliveryWords(one: Delivery, now: number): Html {
  const attempts = one.attempts === 1 ? "1 attempt" : `${one.attempts} attempts`;
  const answer = answerWords(one);
  const next = one.nextAt === null ? "" : `, next ${dueText(one.nextAt, now)}`;
  return html`${deliveryBadge(one.status)} <span class="muted">${one.url ?? one.webhookId}</span><br>${attempts}${answer === "" ? "" : `: ${answer}`}${next}`;
}
