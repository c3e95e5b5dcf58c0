import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import { ok } from "../merchants/index.ts";
import type { ShownKey } from "./signing-key.ts";
import type { Credentials, Webhook } from "./webhook.ts";
import type { SettingsAnswer, SigningKeyAnswer, WebhookAnswer } from "./wire.ts";

export function presentWebhook(webhook: Webhook, mode: Mode): Static<typeof WebhookAnswer> {
  return {
    id: webhook.id,
    event: webhook.event as Static<typeof WebhookAnswer>["event"],
    url: webhook.url,
    status: webhook.status,
    createdDateTime: toIso(webhook.createdAt),
    updatedDateTime: toIso(webhook.updatedAt),
    result: ok(mode),
  };
}

export function presentSigningKey(
  { signingKey, createdAt }: ShownKey,
  mode: Mode,
): Static<typeof SigningKeyAnswer> {
  return {
    signingKey,
    standardWebhooksSecret: `whsec_${btoa(signingKey)}`,
    createdDateTime: toIso(createdAt),
    result: ok(mode),
  };
}

/** Omits the password. */
export function presentSettings(
  { username, header }: Credentials,
  mode: Mode,
): Static<typeof SettingsAnswer> {
  return { username, header, result: ok(mode) };
}
