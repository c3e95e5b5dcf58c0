import { type Html, html } from "../../../browser/ui/html.ts";
import type { Webhook } from "../../features/webhooks/index.ts";
import { answerWords } from "../events/delivery-words.ts";
import type { Confirmation } from "../shell/confirmed-pages.ts";
import { exportLink, shortId } from "../shell/lists/view.ts";
import type { MerchantVisit, Refused } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { field, postButton, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";
import { dueText, exactTime, relativeTime, timeElement } from "../shell/times.ts";
import { COUNTED_AT_MOST, countText } from "../shell/words.ts";
import type { WebhookDelivery } from "./queries.ts";
import { subscribedWords, webhookHealth } from "./view.ts";

type SubscriptionVisit = MerchantVisit<"{webhookId}">;

type Shown = {
  /** Pending deliveries. */
  readonly waiting: number;
  readonly newest: readonly WebhookDelivery[];
  readonly refused: Refused | undefined;
};

export function subscriptionPath({ base, params }: SubscriptionVisit): string {
  return `${base}/webhooks/${params.webhookId}`;
}

export function subscriptionView(
  visit: SubscriptionVisit,
  webhook: Webhook,
  { waiting, newest, refused }: Shown,
): Html {
  const { zone, may } = visit;
  const state = facts([
    ["Status", badge(webhook.status)],
    ["Health", webhookHealth(webhook, visit)],
    ["Address", html`<code>${webhook.url}</code>`],
    ["Waiting", waiting === 0 ? "None" : countText(waiting, "delivery", "deliveries", COUNTED_AT_MOST)],
    ["Id", copyable(webhook.id, "the webhook id")],
    ["Created", exactTime(webhook.createdAt, zone)],
  ]);
  const disabled = webhook.status === "disabled" && disabledWords(visit);
  return html`${panel("State", html`${disabled}${state}`, may("act") ? actions(visit, webhook) : undefined)}
${may("act") && panel("Address", addressForm(visit, webhook, refused))}
${panel("Newest deliveries", html`${deliveryTable(visit, newest)}${newest.length > 0 && exportLink(`${subscriptionPath(visit)}/deliveries.csv`)}`)}`;
}

/** The gateway, too, disables a subscription: after five days of failures, or when the endpoint answers 410. */
function disabledWords({ base, may }: MerchantVisit): Html {
  const missed =
    may("act") && html` <a href="${base}/events/redeliver">Deliver what was missed</a> after that.`;
  return html`<p class="lead">Nothing is delivered while it is disabled. When your server is ready, enable it.${missed}</p>`;
}

function actions(visit: SubscriptionVisit, { status }: Webhook): Html {
  const { formToken } = visit;
  const path = subscriptionPath(visit);
  const turn =
    status === "active"
      ? html`<a class="small" href="${path}/disable">Disable</a>`
      : postButton({ action: `${path}/enable`, formToken, button: "Enable" });
  return html`<div class="buttons">${postButton({ action: `${path}/test`, formToken, button: "Send a ping" })}${turn}<a class="small small-danger" href="${path}/delete">Delete</a></div>`;
}

function addressForm(visit: SubscriptionVisit, { url }: Webhook, refused: Refused | undefined): Html {
  const typed = refused === undefined ? undefined : visit.fields["url"];
  return postForm({
    action: `${subscriptionPath(visit)}/address`,
    formToken: visit.formToken,
    button: "Save",
    content: field({
      name: "url",
      label: "Address",
      type: "url",
      value: typed ?? url,
      hint: "Where events are posted to; https for a live merchant.",
      problem: refused?.byField["/url"] ?? refused?.words,
    }),
  });
}

function deliveryTable({ base, zone, now }: MerchantVisit, newest: readonly WebhookDelivery[]): Html {
  if (newest.length === 0) return html`<p class="muted">Nothing was delivered here lately.</p>`;
  return table({
    caption: "Newest deliveries",
    captionHidden: true,
    stacks: true,
    columns: [{ head: "Event" }, { head: "Delivery" }, { head: "Answer" }, { head: "Last attempt" }],
    rows: newest.map((one) => [
      html`<a href="${base}/events/${one.eventId}">${shortId(one.eventId)}</a>`,
      one.status === "pending" ? badge("waiting", "waiting") : badge(one.status),
      answerCell(one),
      html`${one.attemptedAt === null ? "–" : timeElement(one.attemptedAt, zone, relativeTime(one.attemptedAt, now))}${one.nextAt !== null && html`<br><span class="muted">next ${dueText(one.nextAt, now)}</span>`}`,
    ]),
  });
}

function answerCell(one: WebhookDelivery): string {
  const attempts = one.attempts > 1 ? [`${one.attempts} attempts`] : [];
  const words = [answerWords(one), ...attempts].filter((text) => text !== "").join(", ");
  return words === "" ? "–" : words;
}

export function disablingOf({ event, url }: Webhook, waiting: number): Confirmation {
  return {
    title: "Disable the subscription?",
    words: [
      `The subscription to ${subscribedWords(event)} posts nothing to ${url} until you enable it again. ${waitingWords(waiting)}`,
      "Missed events can be delivered later: “Events” can deliver a time range again.",
    ],
    button: "Disable the subscription",
  };
}

export function deletionOf({ event, url }: Webhook, waiting: number): Confirmation {
  return {
    title: "Delete the subscription?",
    words: [
      `The subscription to ${subscribedWords(event)} no longer posts to ${url}. ${waitingWords(waiting)}`,
      "This can't be undone. To stop for a while, disable the subscription instead.",
    ],
    button: "Delete the subscription",
  };
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "Nothing waits to be delivered there.";
  const words = countText(waiting, "delivery waits", "deliveries wait", COUNTED_AT_MOST);
  return `${words} for it now and ${waiting === 1 ? "is" : "are"} closed as failed.`;
}
