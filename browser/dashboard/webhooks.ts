import { type Html, html } from "../ui/html.ts";
import { badge } from "./parts/badge.ts";
import { confirmStep } from "./parts/confirm.ts";
import { copyable, facts, moment, panel } from "./parts/facts.ts";
import { choice, type FieldProblems, field, postButton, postForm } from "./parts/form.ts";
import { emptyState, table } from "./parts/table.ts";

export type ShownWebhook = {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly status: "active" | "disabled";
  /** Since when nothing was acknowledged. */
  readonly failingSince: string | undefined;
};

export type WebhookListModel = {
  readonly base: string;
  readonly formToken: string;
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
${may.act && free.length > 0 && panel("Subscribe", creation(model))}
${may.manage && panel("Signing key", signing(model))}
${may.manage && panel("Credentials", credentials(model))}`;
}

function subscriptions(model: WebhookListModel): Html {
  const { webhooks, may } = model;
  return table({
    caption: "Subscriptions",
    columns: [
      { head: "Event" },
      { head: "Address" },
      { head: "Status" },
      { head: "Health" },
      ...(may.act ? [{ head: "Actions", kind: "actions" } as const] : []),
    ],
    rows: webhooks.map((webhook) => [
      webhook.event,
      html`<code>${webhook.url}</code>`,
      badge(webhook.status),
      health(webhook),
      ...(may.act ? [actions(model, webhook)] : []),
    ]),
  });
}

function health({ failingSince, status }: ShownWebhook): Html {
  if (failingSince === undefined) return status === "active" ? badge("answering", "good") : html`–`;
  return html`${badge("failing", "bad")} since ${moment(failingSince)}`;
}

function actions({ base, formToken }: WebhookListModel, { id, event, status }: ShownWebhook): Html {
  const at = `${base}/webhooks/${id}`;
  const [next, verb] =
    status === "active" ? (["disabled", "Disable"] as const) : (["active", "Enable"] as const);
  return html`${postButton({ action: `${at}/test`, formToken, button: "Send a ping", what: `to ${event}` })} ${postButton({ action: `${at}/change`, formToken, button: verb, what: event, fields: { status: next } })} <a class="small" href="${at}/delete">Delete<span class="visually-hidden"> ${event}</span></a>`;
}

function creation({ base, formToken, free, typed, problems }: WebhookListModel): Html {
  return postForm({
    action: `${base}/webhooks/create`,
    formToken,
    button: "Subscribe",
    content: html`${choice({ name: "event", label: "Event", value: typed["event"], among: free.map((value) => ({ value, label: value })), problem: problems["event"] })}
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

export function webhookDeletion(model: {
  base: string;
  formToken: string;
  id: string;
  event: string;
  url: string;
}): Html {
  return confirmStep({
    action: `${model.base}/webhooks/${model.id}/delete`,
    formToken: model.formToken,
    words: [
      `Events of ${model.event} are no longer posted to ${model.url}.`,
      "What waits to be delivered there is closed as failed. To stop for a while, disable the subscription instead.",
    ],
    button: "Delete the subscription",
    backTo: `${model.base}/webhooks`,
  });
}

export function rotateStep(base: string, formToken: string): Html {
  return confirmStep({
    action: `${base}/webhooks/signing-key/rotate`,
    formToken,
    words: [
      "From now on deliveries are signed with a new key.",
      "For 24 hours they also carry X-Signature-Previous, made with the key before. Give your server the new key within that time.",
    ],
    button: "Replace the key",
    backTo: `${base}/webhooks`,
  });
}

export function signingKeyShown(key: {
  readonly signingKey: string;
  readonly standardWebhooksSecret: string;
  readonly createdAt: string;
  readonly backTo: string;
}): Html {
  return panel(
    "Keep it on your server",
    html`${facts([
      ["Signing key", copyable(key.signingKey, "the signing key")],
      ["For Standard Webhooks", copyable(key.standardWebhooksSecret, "the secret for Standard Webhooks")],
      ["Made", moment(key.createdAt)],
    ])}
<p>Whoever holds it can sign as the gateway does.</p>
<p><a class="button button-quiet" href="${key.backTo}">Done</a></p>`,
  );
}
