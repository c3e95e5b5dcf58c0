import { refuse } from "../../kernel/refusal.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { changeWebhook, deleteWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { presentSettings, presentSigningKey, presentWebhook } from "./present.ts";
import { findWebhook, listWebhooks } from "./queries.ts";
import { changeSettings, findIncompleteProblems, readSettings, settingsProblems } from "./settings.ts";
import { revealSigningKey, rotateSigningKey } from "./signing-key.ts";
import { testWebhook } from "./test-webhook.ts";
import { privateNameProblems, webhookUrlProblems } from "./url-rules.ts";
import {
  SettingsAnswer,
  SettingsBody,
  SigningKeyAnswer,
  TestAnswer,
  WebhookAnswer,
  WebhookBody,
  WebhookChangeBody,
  WebhookGoneAnswer,
} from "./wire.ts";

const GROUP = "Webhooks";
const URL_REFUSALS = [
  "webhook_url_scheme_invalid",
  "webhook_url_address_invalid",
  "webhook_url_port_invalid",
] as const;

export const webhookRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/webhooks",
    name: "createWebhook",
    group: GROUP,
    summary: "Subscribe to an event value, or to all",
    about:
      "One subscription per event value, and one for all (`*`). The gateway posts every event from now on to the URL until it is acknowledged. While the settings have credentials, an origin that no subscription has yet needs the scope `admin`.",
    scope: "write",
    body: WebhookBody,
    rules: ({ url }, { caller, ctx }) => webhookUrlProblems(url, caller.mode, ctx),
    lookUp: ({ url }, { caller, ctx }) => privateNameProblems(ctx, url, caller.mode),
    answer: WebhookAnswer,
    refusals: [...URL_REFUSALS, "webhook_event_conflict"],
    example: { event: "payouts", url: "https://shop.example/webhooks" },
    run: async (ctx, { caller, body }) => presentWebhook(await createWebhook(ctx, caller, body), caller.mode),
  }),
  merchantRoute({
    method: "GET",
    path: "/webhooks",
    name: "listWebhooks",
    group: GROUP,
    summary: "List subscriptions",
    about: "Newest first.",
    scope: "read",
    query: listQuery("webhook", {}),
    answer: listAnswer("webhooks", WebhookAnswer, RESULT_OK),
    run: async (ctx, { caller, query }) => {
      const page = pageOf("webhook", query);
      const { shown, nextCursor } = cutPage(await listWebhooks(ctx.db, caller.merchantId, page), page);
      const webhooks = shown.map((webhook) => presentWebhook(webhook, caller.mode));
      return { count: shown.length, webhooks, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/webhooks/signingkey",
    name: "getWebhookSigningKey",
    group: GROUP,
    summary: "Read the signing key",
    about:
      "The first call creates it. Anyone with this key can sign as the gateway does: keep it on your server.",
    scope: "admin",
    answer: SigningKeyAnswer,
    run: async (ctx, { caller }) =>
      presentSigningKey(await revealSigningKey(ctx, caller.merchant), caller.mode),
  }),
  merchantRoute({
    method: "POST",
    path: "/webhooks/signingkey/rotate",
    name: "rotateWebhookSigningKey",
    group: GROUP,
    summary: "Replace the signing key",
    about: "For 24 hours deliveries also carry `X-Signature-Previous`, signed with the previous key.",
    scope: "admin",
    answer: SigningKeyAnswer,
    run: async (ctx, { caller }) => presentSigningKey(await rotateSigningKey(ctx, caller), caller.mode),
  }),
  merchantRoute({
    method: "GET",
    path: "/webhooks/settings",
    name: "getWebhookSettings",
    group: GROUP,
    summary: "Read the webhook settings",
    about: "Never returns the password.",
    scope: "read",
    answer: SettingsAnswer,
    run: async (ctx, { caller }) => presentSettings(await readSettings(ctx, caller), caller.mode),
  }),
  merchantRoute({
    method: "PUT",
    path: "/webhooks/settings",
    name: "changeWebhookSettings",
    group: GROUP,
    summary: "Change the webhook settings",
    about:
      "Basic credentials that deliveries carry, in `Authorization` or `X-Authorization`. Takes any subset; nulls clear them.",
    scope: "admin",
    body: SettingsBody,
    rules: ({ username = null }) => settingsProblems({ username }),
    lookUp: (change, { caller, ctx, sound }) => findIncompleteProblems(ctx, caller, change, sound),
    answer: SettingsAnswer,
    example: { username: "tidegate", password: "a long password", header: "Authorization" },
    run: async (ctx, { caller, body }) =>
      presentSettings(await changeSettings(ctx, caller, body), caller.mode),
  }),
  merchantRoute({
    method: "GET",
    path: "/webhooks/{webhookId}",
    name: "getWebhook",
    group: GROUP,
    summary: "Read a subscription",
    about:
      "`disabled` if you disabled it, its endpoint answered 410, or five days passed without one success.",
    scope: "read",
    answer: WebhookAnswer,
    run: async (ctx, { caller, params }) => {
      const webhook =
        (await findWebhook(ctx.db, caller.merchantId, params.webhookId)) ?? refuse("resource_not_found");
      return presentWebhook(webhook, caller.mode);
    },
  }),
  merchantRoute({
    method: "PUT",
    path: "/webhooks/{webhookId}",
    name: "changeWebhook",
    group: GROUP,
    summary: "Change a subscription",
    about:
      "`url`, `status` or both; `active` enables a subscription that was disabled. While the settings have credentials, a `url` on an origin that no subscription has yet needs the scope `admin`.",
    scope: "write",
    body: WebhookChangeBody,
    rules: ({ url }, { caller, ctx }) => webhookUrlProblems(url, caller.mode, ctx),
    lookUp: ({ url }, { caller, ctx }) => privateNameProblems(ctx, url, caller.mode),
    answer: WebhookAnswer,
    refusals: URL_REFUSALS,
    example: { status: "active" },
    run: async (ctx, { caller, params, body }) =>
      presentWebhook(await changeWebhook(ctx, caller, params.webhookId, body), caller.mode),
  }),
  merchantRoute({
    method: "DELETE",
    path: "/webhooks/{webhookId}",
    name: "deleteWebhook",
    group: GROUP,
    summary: "End a subscription",
    about: "Its pending deliveries end as `failed`.",
    scope: "write",
    answer: WebhookGoneAnswer,
    run: async (ctx, { caller, params }) => ({
      id: await deleteWebhook(ctx, caller, params.webhookId),
      result: ok(caller.mode),
    }),
  }),
  merchantRoute({
    method: "POST",
    path: "/webhooks/{webhookId}/test",
    name: "testWebhook",
    group: GROUP,
    summary: "Send a test ping",
    about: "Posts a signed envelope with `event` `ping` and returns the outcome.",
    scope: "write",
    answer: TestAnswer,
    refusals: ["webhook_test_in_progress"],
    run: async (ctx, { caller, params }) => testWebhook(ctx, caller, params.webhookId),
  }),
];
