export { openSeal, type Seal } from "./envelope-headers.ts";
export { credentialsOf, lockWebhook, signingKeysOf, updateWebhook, webhooksOf } from "./queries.ts";
export { webhookRoutes } from "./routes.ts";
export { errorOf, isAcknowledged, sendEnvelope } from "./send.ts";
export { SEALED_PASSWORDS } from "./settings.ts";
export { SEALED_SIGNING_KEYS } from "./signing-key.ts";
export { GIVEN_UP_AFTER, lifecycle as webhookLifecycle, type Webhook } from "./webhook.ts";
