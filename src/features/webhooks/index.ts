export { openSigningCredentials, type SigningCredentials } from "./envelope-headers.ts";
export { credentialsOf, lockWebhook, signingKeysOf, updateWebhook, webhooksOf } from "./queries.ts";
export { webhookRoutes } from "./routes.ts";
export { errorOf, isAcknowledged, sendEnvelope } from "./send.ts";
export { SEALED_PASSWORDS } from "./settings.ts";
export { SEALED_SIGNING_KEYS } from "./signing-key.ts";
export { takesCredentialsElsewhere } from "./url-rules.ts";
export {
  ALL_EVENTS,
  type Credentials,
  DISABLED_AFTER,
  lifecycle as webhookLifecycle,
  type SigningKey,
  type Webhook,
} from "./webhook.ts";
export { SUBSCRIBED_VALUES } from "./wire.ts";
