import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { deliverySummary, deliveryWords } from "../events/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { postButton } from "../shell/parts/form.ts";
import { exactTime, relativeTime, timeElement } from "../shell/times.ts";
import { outcomeWords } from "../shell/words.ts";
import type { TimelineEntry } from "./timeline.ts";

/** `path` is the page that the timeline is on. */
export function timelineEntry(visit: MerchantVisit, entry: TimelineEntry, path: string): Html {
  const { zone, now, base } = visit;
  const details = detailWords(entry);
  const { event, payoutId } = entry;
  const anchor =
    entry.title.kind === "refund" && entry.title.status === "pending" && html` id="${entry.subjectId}"`;
  return html`<li class="tone-${entry.tone}"${anchor}><div class="entry-head"><h3>${titleWords(entry)}</h3><span class="muted">${timeElement(entry.at, zone, relativeTime(entry.at, now))} · ${exactTime(entry.at, zone)}</span></div>
${(details !== "" || payoutId !== undefined) && html`<p class="entry-words">${details}${payoutId !== undefined && html` · <a href="${base}/payouts/${payoutId}">See the payout</a>`}</p>`}
${event !== undefined && eventPart(visit, event, path)}</li>`;
}

function eventPart(
  { base, formToken, may, now }: MerchantVisit,
  { id, name, deliveries }: NonNullable<TimelineEntry["event"]>,
  path: string,
): Html {
  const again =
    may("act") &&
    deliveries.length > 0 &&
    postButton({
      action: `${base}/events/${id}/redeliver?back=${encodeURIComponent(path)}`,
      formToken,
      button: "Deliver again",
      what: `event ${id}`,
    });
  const rows = deliveries.map((one) => html`<li>${deliveryWords(one, now)}</li>`);
  return html`<details class="entry-event" id="d-${id}"><summary>Event <code>${name}</code> ${deliverySummary(deliveries)}</summary>
<ul>${rows}<li><a href="${base}/events/${id}">JSON and deliveries</a>${again}</li></ul></details>`;
}

const REQUEST: Readonly<Record<string, string>> = {
  created: "Payment request created",
  completed: "Payment request completed",
  expired: "Payment request expired",
  cancelled: "Payment request cancelled",
};

const CAPTURE: Readonly<Record<string, string>> = {
  captured: "Captured",
  uncaptured: "Authorised, to be captured:",
  voided: "Authorisation cancelled",
  expired: "Authorisation expired",
};

const REASONS: Readonly<Record<string, string>> = {
  short: "It was less than the amount",
  over: "It was more than the amount",
  late: "It came too late",
  duplicate: "The request was paid already",
  closed: "The request was closed",
};

const OPERATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pending: {
    capture: "Capture under way",
    void: "Cancellation under way",
    expire: "Authorisation is expiring",
    reverse: "Approved too late, being reversed",
  },
  done: { reverse: "Approved too late, reversed" },
  refused: {
    capture: "Capture declined",
    void: "Cancellation declined",
    expire: "Release of the expired authorisation declined",
  },
};

const LINES: Readonly<Record<string, string>> = {
  payment: "Payment",
  refund: "Refund",
  return: "Return",
  fee: "Fee",
};

function titleWords({ title, amount }: TimelineEntry): string {
  const money = amount === undefined ? "" : ` ${moneyText(amount)}`;
  switch (title.kind) {
    case "request":
      if (title.status === "completed" && title.paid === false)
        return "Payment request ended without a payment";
      return `${REQUEST[title.status] ?? title.status}${amount === undefined ? "" : `:${money}`}`;
    case "requestChanged":
      return "Payment request changed";
    case "attempt":
      return `Payment attempt:${money}`;
    case "outcome":
      return title.status === "approved" ? `Approved${money}` : "Declined";
    case "capture":
      return `${CAPTURE[title.status] ?? title.status}${money}`;
    case "refund":
      return title.status === "pending" ? `Refund requested:${money}` : `Refund ${title.status}:${money}`;
    case "operation":
      return `${OPERATIONS[title.status]?.[title.what] ?? title.what}${title.what === "capture" ? `:${money}` : ""}`;
    case "line":
      return `${LINES[title.what] ?? title.what} booked:${money}`;
    case "transfer":
      return title.status === "accepted" ? `Transfer received:${money}` : `Transfer of${money} sent back`;
    case "token":
      return "One-time token created";
  }
}

function detailWords({ title, code, authentication, note }: TimelineEntry): string {
  const parts: string[] = [];
  // The title of an approval says it already.
  if (code != null && code !== OUTCOMES.approved) parts.push(`${outcomeWords(code)} (${code})`);
  if (authentication !== undefined) parts.push(`3D Secure: ${authentication}`);
  if (title.kind === "transfer" && title.reason !== null) parts.push(REASONS[title.reason] ?? title.reason);
  if (title.kind === "token" && title.status !== "created") {
    parts.push(title.status === "processed" ? "Opened a checkout, which was paid" : "Opened a checkout");
  }
  if (title.kind === "line") parts.push(title.paid ? "Paid out" : "Waits for the next payout");
  if (note !== undefined) parts.push(note);
  return parts.join(" · ");
}
