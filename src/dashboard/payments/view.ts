import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { badge } from "../shell/parts/badge.ts";
import { facts, panel } from "../shell/parts/facts.ts";
import { postButton } from "../shell/parts/form.ts";
import { dueText, exactTime, relativeTime, timeElement } from "../shell/times.ts";
import { answerWords } from "../webhooks/delivery-words.ts";
import { moreWords, titleWords } from "./entry-words.ts";
import type { DeliveryModel, EntryModel, PaymentModel } from "./model.ts";

/** One payment on one page: how it stands, what can be done, and everything that happened, newest first. */
export function paymentPage(model: PaymentModel): Html {
  const { amount, currency, states, outlook, actions, underWay, path } = model;
  return html`<div id="live" data-live="${underWay ? "on" : "off"}">
<div class="payment-head" role="status"><span class="payment-amount">${moneyText(amount)} <span>${currency}</span></span>${states.map((state) => badge(state))}</div>
${outlook !== undefined && html`<p class="outlook">${outlook}</p>`}
${actions.length > 0 && html`<p class="act">${actions.map(({ href, words, danger }) => html`<a class="button${danger === true ? " button-quiet" : ""}" href="${href}">${words}</a>`)}</p>`}
<div class="payment-body">
<div>${panel("Timeline", html`<ol class="timeline">${model.entries.map((entry) => timelineEntry(entry, model))}</ol>`, underWay ? html`<a class="reload" href="${path}">Load again</a>` : undefined)}</div>
<div class="payment-side">${model.facts.map(({ heading, rows }) => panel(heading, facts(rows)))}</div>
</div>
</div>`;
}

function timelineEntry(entry: EntryModel, model: PaymentModel): Html {
  const { zone, now, base } = model;
  const more = moreWords(entry);
  const { event, payoutId } = entry;
  const anchor =
    entry.title.kind === "refund" && entry.title.status === "pending" && html` id="${entry.subjectId}"`;
  return html`<li class="tone-${entry.tone}"${anchor}><div class="entry-head"><h3>${titleWords(entry)}</h3><span class="muted">${timeElement(entry.at, zone, relativeTime(entry.at, now))} · ${exactTime(entry.at, zone)}</span></div>
${(more !== "" || payoutId !== undefined) && html`<p class="entry-words">${more}${payoutId !== undefined && html` · <a href="${base}/payouts/${payoutId}">See the payout</a>`}</p>`}
${event !== undefined && eventPart(event, model)}</li>`;
}

function eventPart(
  event: NonNullable<EntryModel["event"]>,
  { base, formToken, mayAct, now, path }: PaymentModel,
): Html {
  const { id, deliveries } = event;
  const again =
    mayAct &&
    deliveries.length > 0 &&
    postButton({
      action: `${base}/events/${id}/redeliver?back=${encodeURIComponent(path)}`,
      formToken,
      button: "Deliver again",
      what: `event ${id}`,
    });
  const rows = deliveries.map((one) => html`<li>${deliveryWords(one, now)}</li>`);
  return html`<details class="entry-event" id="d-${id}"><summary>Event <code>${event.name}</code> ${summaryOf(deliveries)}</summary>
<ul>${rows}<li><a href="${base}/events/${id}">JSON and deliveries</a>${again}</li></ul></details>`;
}

/** How the telling went, in a badge. */
export function summaryOf(deliveries: readonly Pick<DeliveryModel, "status">[]): Html {
  if (deliveries.length === 0) return html`<span class="muted">nobody subscribed</span>`;
  const worst = (["failed", "pending", "delivered"] as const).find((status) =>
    deliveries.some((one) => one.status === status),
  );
  return badge(
    worst === "pending" ? "waiting" : (worst ?? ""),
    worst === "pending" ? "waiting" : worst === "failed" ? "bad" : "good",
  );
}

export function deliveryWords(one: DeliveryModel, now: number): Html {
  const tries = one.attempts === 1 ? "1 attempt" : `${one.attempts} attempts`;
  const answer = answerWords(one);
  const next = one.nextAt === null ? "" : `, next ${dueText(one.nextAt, now)}`;
  return html`${badge(one.status)} <span class="muted">${one.url ?? one.webhookId}</span><br>${tries}${answer === "" ? "" : `: ${answer}`}${next}`;
}
