import { type Html, html } from "../../../browser/ui/html.ts";
import { ALL_EVENTS, SUBSCRIBED_VALUES, type Webhook } from "../../features/webhooks/index.ts";
import type { MerchantVisit, Refused } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, field, postButton, postForm } from "../shell/parts/form.ts";
import { emptyState, table } from "../shell/parts/table.ts";
import { shortTime, timeElement } from "../shell/times.ts";

export type CredentialSettings = {
  readonly username: string | null;
  readonly header: "Authorization" | "X-Authorization";
};

type Shown = {
  readonly webhooks: readonly Webhook[];
  readonly settings: CredentialSettings;
  readonly refused: Refused | undefined;
};

export function webhooksView(visit: MerchantVisit, { webhooks, settings, refused }: Shown): Html {
  const { may } = visit;
  const free = SUBSCRIBED_VALUES.filter((event) => !webhooks.some((webhook) => webhook.event === event));
  const offersMore = free.length > 0 || refused?.byField["/event"] !== undefined;
  return html`${webhooks.length === 0 ? emptyState("There is no subscription yet. Subscribe to an event, and your server receives every change.") : subscriptionTable(visit, webhooks)}
${may("act") && offersMore && panel("Subscribe", creationForm(visit, free, refused))}
${may("manage") && panel("Signing key", signingKeyPart(visit))}
${may("manage") && panel("Credentials", credentialForm(visit, settings, refused))}`;
}

function subscriptionTable(visit: MerchantVisit, webhooks: readonly Webhook[]): Html {
  const { base, formToken, may } = visit;
  const actions = ({ id, event }: Webhook) => {
    const path = `${base}/webhooks/${id}`;
    return html`${postButton({ action: `${path}/test`, formToken, button: "Send a ping", what: `to ${subscribedWords(event)}` })} <a class="small" href="${path}">Change<span class="visually-hidden"> ${subscribedWords(event)}</span></a>`;
  };
  return table({
    caption: "Subscriptions",
    stacks: true,
    columns: [
      { head: "Event" },
      { head: "Address" },
      { head: "Status" },
      { head: "Health" },
      ...(may("act") ? [{ head: "Actions", kind: "actions" } as const] : []),
    ],
    rows: webhooks.map((webhook) => [
      html`<a href="${base}/webhooks/${webhook.id}">${subscribedWords(webhook.event)}</a>`,
      html`<code class="address">${webhook.url}</code>`,
      badge(webhook.status),
      webhookHealth(webhook, visit),
      ...(may("act") ? [actions(webhook)] : []),
    ]),
  });
}

/** What a subscription is for, as people read it. */
export function subscribedWords(event: string): string {
  return event === ALL_EVENTS ? "all events" : event;
}

export function webhookHealth({ failingSince, status }: Webhook, { zone, now }: MerchantVisit): Html {
  if (failingSince === null) return status === "active" ? badge("no failures", "good") : html`–`;
  return html`${badge("failing", "bad")} since ${timeElement(failingSince, zone, shortTime(failingSince, zone, now))}`;
}

function creationForm(
  { base, formToken, fields }: MerchantVisit,
  free: readonly string[],
  refused: Refused | undefined,
): Html {
  const { event, url = "" } = refused === undefined ? {} : fields;
  // The chosen event stays chosen, also where another user has just subscribed to it.
  const events = event === undefined || free.includes(event) ? free : [event, ...free];
  return postForm({
    action: `${base}/webhooks/create`,
    formToken,
    button: "Subscribe",
    content: html`${choice({ name: "event", label: "Event", value: event, among: events.map((value) => ({ value, label: subscribedWords(value) })), problem: refused?.byField["/event"] })}
${field({ name: "url", label: "Address", type: "url", value: url, placeholder: "https://shop.example/webhooks", hint: "Where events are posted to; https for a live merchant.", problem: refused?.byField["/url"] })}`,
  });
}

function signingKeyPart({ base, formToken }: MerchantVisit): Html {
  return html`<p>Every delivery is signed. Your server checks the signature with this key before it believes anything.</p>
<div class="buttons">${postButton({ action: `${base}/webhooks/signing-key`, formToken, button: "Show the key" })} <a class="small" href="${base}/webhooks/signing-key/rotate">Replace it</a></div>`;
}

function credentialForm(
  { base, formToken, fields }: MerchantVisit,
  settings: CredentialSettings,
  refused: Refused | undefined,
): Html {
  const typed = refused === undefined ? {} : fields;
  return postForm({
    action: `${base}/webhooks/settings`,
    formToken,
    button: "Save",
    content: html`<p class="lead">Basic credentials that deliveries carry, for endpoints that require them. An empty user name clears them.</p>
<div class="two">${field({ name: "username", label: "User name", value: typed["username"] ?? settings.username ?? "", problem: refused?.byField["/username"] })}${field({ name: "password", label: "Password", type: "password", autocomplete: "new-password", hint: settings.username === null ? undefined : "Left empty, it stays as it is.", problem: refused?.byField["/password"] })}</div>
${choice({ name: "header", label: "Header", value: typed["header"] ?? settings.header, among: ["Authorization", "X-Authorization"].map((value) => ({ value, label: value })), problem: refused?.byField["/header"], width: "short" })}`,
  });
}
