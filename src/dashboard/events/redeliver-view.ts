import { type Html, html } from "../../../browser/ui/html.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field } from "../shell/parts/form.ts";
import { emptyState } from "../shell/parts/table.ts";
import { countText } from "../shell/words.ts";

export type RangeTyped = { readonly from: string; readonly to: string; readonly event: string };

export type RangeFormModel = {
  readonly base: string;
  readonly typed: RangeTyped;
  readonly problems: FieldProblems;
  readonly kinds: readonly (readonly [value: string, label: string])[];
};

/** Which stretch? It changes nothing yet, so it is a GET; the next step says how much that is. */
export function rangeForm({ base, typed, problems, kinds }: RangeFormModel): Html {
  const among = [{ value: "", label: "Any" }, ...kinds.map(([value, label]) => ({ value, label }))];
  return panel(
    "Which events?",
    html`<form class="form" method="get" action="${base}/events/redeliver"><p class="lead">Everything that happened in a stretch of time is sent once more, at most 10,000 events.</p>
<div class="two">${field({ name: "from", label: "From (UTC)", value: typed.from, hint: "Such as 2026-11-15 09:00.", problem: problems["from"] })}${field({ name: "to", label: "To (UTC)", value: typed.to, hint: "Not included.", problem: problems["to"] })}</div>
${choice({ name: "event", label: "Event", value: typed.event, among })}
<p class="buttons"><button class="button">Continue</button><a href="${base}/events">Go back</a></p></form>`,
  );
}

export type RangeStepModel = {
  readonly base: string;
  readonly formToken: string;
  readonly input: { readonly createdFrom: string; readonly createdTo: string; readonly event?: string };
  readonly events: number;
  readonly deliveries: number;
};

/** How much it is, before it is done. */
export function rangeStep({ base, formToken, input, events, deliveries }: RangeStepModel): Html {
  const { createdFrom, createdTo, event } = input;
  const backTo = `${base}/events/redeliver`;
  const kind = event === undefined ? "" : ` of ${event}`;
  const stretch = `from ${utc(createdFrom)} to ${utc(createdTo)}`;
  const back = html`<p><a href="${backTo}">Choose another stretch</a></p>`;
  if (events === 0) return emptyState(`No event${kind} was made ${stretch}.`, back);
  const made = `${countText(events, "event", "events")}${kind} ${events === 1 ? "was" : "were"} made ${stretch}.`;
  if (deliveries === 0) return emptyState(`${made} No subscription is active for them.`, back);
  const passed = events - deliveries;
  const left =
    passed === 0
      ? ""
      : ` ${countText(passed, "event is", "events are")} passed over: no subscription is active for ${passed === 1 ? "it" : "them"}.`;
  return confirmStep({
    action: `${base}/events/redeliver`,
    formToken,
    words: [
      `${made} ${countText(deliveries, "delivery is", "deliveries are")} sent once more, also where they were acknowledged before.${left}`,
      "Your server sees the same event ids again; if it remembers what it has handled, nothing is done twice.",
    ],
    button: `Send ${countText(deliveries, "delivery", "deliveries")} again`,
    backTo,
    fields: { from: createdFrom, to: createdTo, event: event ?? "" },
  });
}

function utc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19).replace(/:00$/, "")} UTC`;
}
