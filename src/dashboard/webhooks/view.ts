import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "../shell/parts/badge.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postButton, postForm } from "../shell/parts/form.ts";
import { emptyState, table } from "../shell/parts/table.ts";
import { shortTime, timeElement } from "../shell/times.ts";

export type ShownWebhook = {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly status: "active" | "disabled";
  /** Since when nothing was acknowledged. */
  readonly failingSince: number | undefined;
};

export type WebhookListModel = {
  readonly base: string;
  readonly formToken: string;
  readonly zone: string;
  readonly webhooks: readonly ShownWebhook[];
  /** Events that nobody subscribed to yet. */
  readonly free: readonly string[];
  readonly settings: { readonly username: string | null; readonly header: string };
  readonly may: { readonly act: boolean; readonly manage: boolean };
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: FieldProblems;
};

export function webhookList(model: WebhookListModel): Html {
  const { webhooks, may, free } = model;
  return html`${webhooks.length === 0 ? emptyState("Nobody is told of anything yet. Subscribe to an event, and your server hears of every change.") : subscriptions(model)}
${may.act && (free.length > 0 || model.problems["event"] !== undefined) && panel("Subscribe", creation(model))}
${may.manage && panel("Signing key", signing(model))}
${may.manage && panel("Credentials", credentials(model))}`;
}

function subscriptions(model: WebhookListModel): Html {
  const { webhooks, may } = model;
  return table({
    caption: "Subscriptions",
    stacks: true,
    columns: [
      { head: "Event" },
      { head: "Address" },
      { head: "Status" },
      { head: "Health" },
      ...(may.act ? [{ head: "Actions", kind: "actions" } as const] : []),
    ],
    rows: webhooks.map((webhook) => [
      html`<a href="${model.base}/webhooks/${webhook.id}">${webhook.event}</a>`,
      html`<code class="address">${webhook.url}</code>`,
      badge(webhook.status),
      webhookHealth(webhook, model.zone),
      ...(may.act ? [actions(model, webhook)] : []),
    ]),
  });
}

export function webhookHealth({ failingSince, status }: ShownWebhook, zone: string): Html {
  if (failingSince === undefined) return status === "active" ? badge("no failures", "good") : html`–`;
  return html`${badge("failing", "bad")} since ${timeElement(failingSince, zone, shortTime(failingSince, zone))}`;
}

function actions({ base, formToken }: WebhookListModel, { id, event }: ShownWebhook): Html {
  const at = `${base}/webhooks/${id}`;
  return html`${postButton({ action: `${at}/test`, formToken, button: "Send a ping", what: `to ${event}` })} <a class="small" href="${at}">Change<span class="visually-hidden"> ${event}</span></a>`;
}

function creation({ base, formToken, free, typed, problems }: WebhookListModel): Html {
  const asked = typed["event"];
  // What was asked for stays chosen, also where somebody else has just subscribed to it.
  const events = asked === undefined || free.includes(asked) ? free : [asked, ...free];
  return postForm({
    action: `${base}/webhooks/create`,
    formToken,
    button: "Subscribe",
    content: html`${choice({ name: "event", label: "Event", value: asked, among: events.map((value) => ({ value, label: value })), problem: problems["event"] })}
${field({ name: "url", label: "Address", type: "url", value: typed["url"] ?? "", placeholder: "https://shop.example/webhooks", hint: "Where events are posted to; https for a live merchant.", problem: problems["url"] })}`,
  });
}

function signing({ base, formToken }: WebhookListModel): Html {
  return html`<p>Every delivery is signed. Your server checks the signature with this key before it believes anything.</p>
<div class="buttons">${postButton({ action: `${base}/webhooks/signing-key`, formToken, button: "Show the key" })} <a class="small" href="${base}/webhooks/signing-key/rotate">Replace it</a></div>`;
}

function credentials({ base, formToken, settings, typed, problems }: WebhookListModel): Html {
  const { username, header } = settings;
  return postForm({
    action: `${base}/webhooks/settings`,
    formToken,
    button: "Save",
    content: html`<p class="lead">Basic credentials that deliveries carry, for endpoints that ask for them. An empty user name clears them.</p>
<div class="two">${field({ name: "username", label: "User name", value: typed["username"] ?? username ?? "", problem: problems["username"] })}${field({ name: "password", label: "Password", type: "password", autocomplete: "new-password", hint: username === null ? undefined : "Left empty, it stays as it is.", problem: problems["password"] })}</div>
${choice({ name: "header", label: "Header", value: typed["header"] ?? header, among: ["Authorization", "X-Authorization"].map((value) => ({ value, label: value })), problem: problems["header"], width: "short" })}`,
  });
}
