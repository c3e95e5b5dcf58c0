import { type Html, html } from "../../../browser/ui/html.ts";
import { shortId } from "../shell/lists/rows.ts";
import { badge } from "../shell/parts/badge.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { field, postButton, postForm } from "../shell/parts/form.ts";
import { table } from "../shell/parts/table.ts";
import { dueText, exactTime, relativeTime, timeElement } from "../shell/times.ts";
import { countText } from "../shell/words.ts";
import { answerWords } from "./delivery-words.ts";
import { type ShownWebhook, webhookHealth } from "./view.ts";

export type ShownDelivery = {
  readonly eventId: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  readonly attemptedAt: number | null;
  /** On the merchant's clock. */
  readonly nextAt: number | null;
};

export type SubscriptionModel = {
  readonly base: string;
  readonly path: string;
  readonly formToken: string;
  readonly zone: string;
  readonly now: number;
  readonly mayAct: boolean;
  readonly webhook: ShownWebhook & { readonly createdAt: number };
  /** How many deliveries wait, counted no further than the limit. */
  readonly waiting: number;
  readonly countedAtMost: number;
  readonly newest: readonly ShownDelivery[];
  /** The address that was typed, where it was refused, and why. */
  readonly typed: string | undefined;
  readonly problem: string | undefined;
};

/** How one subscription does, and what can be done about it. */
export function subscriptionPage(model: SubscriptionModel): Html {
  const { webhook, zone, waiting, countedAtMost, mayAct } = model;
  const state = facts([
    ["Status", badge(webhook.status)],
    ["Health", webhookHealth(webhook, zone)],
    ["Address", html`<code>${webhook.url}</code>`],
    ["Waiting", waiting === 0 ? "None" : countText(waiting, "delivery", "deliveries", countedAtMost)],
    ["Id", copyable(webhook.id, "the webhook id")],
    ["Made", exactTime(webhook.createdAt, zone)],
  ]);
  const off = webhook.status === "disabled" && disabledWords(model);
  return html`${panel("How it stands", html`${off}${state}`, mayAct ? actions(model) : undefined)}
${mayAct && panel("Address", addressForm(model))}
${panel("Newest deliveries", deliveries(model))}`;
}

/** The gateway disables one, too: after five days of failures, or when the endpoint says that it is gone. */
function disabledWords({ base, mayAct }: SubscriptionModel): Html {
  const missed = mayAct && html` <a href="${base}/events/redeliver">Deliver what was missed</a> after that.`;
  return html`<p class="lead">Nothing is delivered while it is disabled. When your server is ready, enable it.${missed}</p>`;
}

function actions({ path, formToken, webhook }: SubscriptionModel): Html {
  const turn =
    webhook.status === "active"
      ? html`<a class="small" href="${path}/disable">Disable</a>`
      : postButton({ action: `${path}/enable`, formToken, button: "Enable" });
  return html`<div class="buttons">${postButton({ action: `${path}/test`, formToken, button: "Send a ping" })}${turn}<a class="small small-danger" href="${path}/delete">Delete</a></div>`;
}

function addressForm({ path, formToken, webhook, typed, problem }: SubscriptionModel): Html {
  return postForm({
    action: `${path}/address`,
    formToken,
    button: "Save",
    content: field({
      name: "url",
      label: "Address",
      type: "url",
      value: typed ?? webhook.url,
      hint: "Where events are posted to; https for a live merchant.",
      problem,
    }),
  });
}

function deliveries({ newest, base, zone, now }: SubscriptionModel): Html {
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

function answerCell(one: ShownDelivery): string {
  const tries = one.attempts > 1 ? [`${one.attempts} attempts`] : [];
  const words = [answerWords(one), ...tries].filter((text) => text !== "").join(", ");
  return words === "" ? "–" : words;
}

export type EndingModel = {
  readonly path: string;
  readonly formToken: string;
  readonly event: string;
  readonly url: string;
  readonly waiting: number;
  readonly countedAtMost: number;
};

export function disablingStep({ path, formToken, event, url, ...rest }: EndingModel): Html {
  return confirmStep({
    action: `${path}/disable`,
    formToken,
    words: [
      `Events of ${event} are not posted to ${url} until you enable the subscription again. ${waitingWords(rest)}`,
      "What was missed can be delivered later: “Events” sends a stretch of time again.",
    ],
    button: "Disable the subscription",
    backTo: path,
  });
}

export function deletionStep({ path, formToken, event, url, ...rest }: EndingModel): Html {
  return confirmStep({
    action: `${path}/delete`,
    formToken,
    words: [
      `Events of ${event} are no longer posted to ${url}. ${waitingWords(rest)}`,
      "This can't be undone. To stop for a while, disable the subscription instead.",
    ],
    button: "Delete the subscription",
    backTo: path,
  });
}

function waitingWords({ waiting, countedAtMost }: Pick<EndingModel, "waiting" | "countedAtMost">): string {
  if (waiting === 0) return "Nothing waits to be delivered there.";
  const words = countText(waiting, "delivery waits", "deliveries wait", countedAtMost);
  return `${words} for it now and ${waiting === 1 ? "is" : "are"} closed as failed.`;
}
