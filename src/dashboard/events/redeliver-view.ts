import { type Html, html } from "../../../browser/ui/html.ts";
import { MINUTE } from "../../kernel/time.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field } from "../shell/parts/form.ts";
import { emptyState } from "../shell/parts/table.ts";
import { exactTime, minuteTime, zoneName } from "../shell/times.ts";
import { countText } from "../shell/words.ts";
import { EVENT_NAMES } from "./view.ts";

type Typed = { readonly from: string; readonly to: string; readonly event: string };

/** The form for the time range. It changes nothing, so it is a GET; the next step shows how many events there are. */
export function rangeView({ base, zone, now }: MerchantVisit, typed: Typed, problems: FieldProblems): Html {
  const among = [{ value: "", label: "Any" }, ...EVENT_NAMES.map(([value, label]) => ({ value, label }))];
  return panel(
    "Which events?",
    html`<form class="form" method="get" action="${base}/events/redeliver"><p class="lead">All events of a time range are delivered again, at most 10,000. Times are in ${zoneName(now, zone)}.</p>
<div class="two">${field({ name: "from", label: "From", value: typed.from, hint: "Such as 2026-11-15 09:00.", problem: problems["from"] })}${field({ name: "to", label: "To", value: typed.to, hint: "Not included.", problem: problems["to"] })}</div>
${choice({ name: "event", label: "Event", value: typed.event, among })}
<p class="buttons"><button class="button">Continue</button><a href="${base}/events">Go back</a></p></form>`,
  );
}

type Range = { readonly createdFrom: string; readonly createdTo: string; readonly event?: string };
type RangeCounts = { readonly events: number; readonly deliveries: number; readonly skipped: number };

/** The confirmation, with the number of deliveries. */
export function rangeStep(
  { base, formToken, zone }: MerchantVisit,
  { createdFrom, createdTo, event }: Range,
  { events, deliveries, skipped }: RangeCounts,
): Html {
  const path = `${base}/events/redeliver`;
  const kind = event === undefined ? "" : ` of ${event}`;
  const range = `from ${timeText(createdFrom, zone)} to ${timeText(createdTo, zone)}`;
  const back = html`<p><a href="${path}">Choose another range</a></p>`;
  if (events === 0) return emptyState(`No event${kind} was made ${range}.`, back);
  const made = `${countText(events, "event", "events")}${kind} ${events === 1 ? "was" : "were"} made ${range}.`;
  if (deliveries === 0) return emptyState(`${made} No subscription is active for them.`, back);
  const left =
    skipped === 0
      ? ""
      : ` ${countText(skipped, "event is", "events are")} passed over: no subscription is active for ${skipped === 1 ? "it" : "them"}.`;
  return confirmStep({
    action: path,
    formToken,
    words: [
      `${made} ${countText(deliveries, "delivery is", "deliveries are")} sent once more, also where they were acknowledged before.${left}`,
      "Your server sees the same event ids again; if it ignores ids that it has handled, nothing is done twice.",
    ],
    button: `Send ${countText(deliveries, "delivery", "deliveries")} again`,
    backTo: path,
    fields: { from: createdFrom, to: createdTo, event: event ?? "" },
  });
}

function timeText(iso: string, zone: string): string {
  const moment = Date.parse(iso);
  return moment % MINUTE === 0 ? minuteTime(moment, zone) : exactTime(moment, zone);
}
