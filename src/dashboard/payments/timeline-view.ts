import { type Html, html } from "../../../browser/ui/html.ts";
import { deliverySummary, deliveryWords } from "../events/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { postButton } from "../shell/parts/form.ts";
import { exactTime, relativeTime, timeElement } from "../shell/times.ts";
import type { TimelineEntry } from "./timeline-entry.ts";
import { detailWords, titleWords } from "./timeline-words.ts";

/** `path` is the page that the timeline is on. */
export function timelineEntry(visit: MerchantVisit, entry: TimelineEntry, path: string): Html {
  const { zone, now, base } = visit;
  const details = detailWords(entry);
  const { event, payoutId } = entry;
  const anchor =
    entry.title.kind === "refund" && entry.title.status === "pending" && html` id="${entry.subjectId}"`;
  return html`<li class="tone-${entry.tone}"${anchor}><div class="entry-head"><h3>${titleWords(entry)}</h3><span class="muted">${timeElement(entry.at, zone, relativeTime(entry.at, now))} · <span class="whole">${exactTime(entry.at, zone)}</span></span></div>
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
