import { type Webhook, webhooksOf } from "../../features/webhooks/index.ts";
import { idMoment } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { type CsvSpec, csvOf } from "../../platform/http/csv.ts";
import { answerWords } from "../events/delivery-words.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  type Refused,
  redirect,
} from "../shell/page.ts";
import { countWaiting, newestDeliveries, type WebhookDelivery, walkDeliveries } from "./queries.ts";
import { deletionOf, disablingOf, subscriptionPath, subscriptionView } from "./subscription-view.ts";
import { takesCredentials } from "./takes-credentials.ts";
import { subscribedWords } from "./view.ts";

type SubscriptionVisit = MerchantVisit<"{webhookId}">;

type Ping = {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
};

/** One subscription: change its address, send a ping, disable and delete it. */
export const subscriptionPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: "/webhooks/{webhookId}", right: "read", run: showSubscription }),
  merchantPage({
    method: "GET",
    path: "/webhooks/{webhookId}/deliveries.csv",
    right: "read",
    run: async (ctx, visit) => {
      const { id } = await getWebhook(ctx, visit);
      return {
        file: csvOf(walkDeliveries(ctx.reads, visit.merchant, id), { ...DELIVERIES_CSV, zone: visit.zone }),
        type: "text/csv; charset=utf-8",
        name: `deliveries-${id}.csv`,
      };
    },
  }),
  merchantPage({
    method: "POST",
    path: "/webhooks/{webhookId}/address",
    right: "act",
    isSensitive: takesCredentials,
    audit: "webhook address changed",
    backTo: subscriptionPath,
    onRefused: showSubscription,
    run: async (ctx, visit) => {
      await change(ctx, visit, { url: (visit.fields["url"] ?? "").trim() });
      return redirect(
        subscriptionPath(visit),
        "From now on events are posted to the new address, also those that wait.",
      );
    },
  }),
  merchantPage({
    method: "POST",
    path: "/webhooks/{webhookId}/test",
    right: "act",
    audit: "webhook tested",
    backTo: subscriptionPath,
    run: async (ctx, visit) => {
      const { caller, params } = visit;
      const ping = (await visit.callApi(ctx, caller, "testWebhook", { params })) as Ping;
      const words = answerWords(ping);
      return ping.status === "delivered"
        ? redirect(subscriptionPath(visit), `The ping was acknowledged: ${words}.`)
        : redirect(subscriptionPath(visit), `The ping was not acknowledged: ${words}.`, "bad");
    },
  }),
  merchantPage({
    method: "POST",
    path: "/webhooks/{webhookId}/enable",
    right: "act",
    audit: "webhook enabled",
    backTo: subscriptionPath,
    run: async (ctx, visit) => {
      await change(ctx, visit, { status: "active" });
      return redirect(
        subscriptionPath(visit),
        "The subscription is enabled: events from now on are delivered.",
      );
    },
  }),
  ...confirmedMerchantPages("webhooks", {
    path: "/webhooks/{webhookId}/disable",
    right: "act",
    audit: "webhook disabled",
    backTo: subscriptionPath,
    confirm: async (ctx, visit) => disablingOf(await getWebhook(ctx, visit), await waitingFor(ctx, visit)),
    run: async (ctx, visit) => {
      await change(ctx, visit, { status: "disabled" });
      return redirect(subscriptionPath(visit), "The subscription is disabled.");
    },
  }),
  ...confirmedMerchantPages("webhooks", {
    path: "/webhooks/{webhookId}/delete",
    right: "act",
    audit: "webhook deleted",
    backTo: subscriptionPath,
    confirm: async (ctx, visit) => deletionOf(await getWebhook(ctx, visit), await waitingFor(ctx, visit)),
    run: async (ctx, visit) => {
      const { caller, params } = visit;
      await visit.callApi(ctx, caller, "deleteWebhook", { params });
      return redirect(`${visit.base}/webhooks`, "The subscription is deleted.");
    },
  }),
];

async function change(
  ctx: Context,
  { callApi, caller, params }: SubscriptionVisit,
  body: object,
): Promise<void> {
  await callApi(ctx, caller, "changeWebhook", { body, params });
}

async function getWebhook(ctx: Context, { merchant, params }: SubscriptionVisit): Promise<Webhook> {
  const own = await webhooksOf(ctx.db, [merchant.id]);
  return own.find(({ id }) => id === params.webhookId) ?? refuse("resource_not_found");
}

function waitingFor(ctx: Context, { merchant, params }: SubscriptionVisit): Promise<number> {
  return countWaiting(ctx.db, merchant.id, params.webhookId);
}

/** One line for each delivery, under the id of its event. */
const DELIVERIES_CSV: CsvSpec<WebhookDelivery> = {
  columns: ["attempts", "httpStatus", "latencyMs", "error", "nextAttemptDateTime"],
  common: ({ eventId, attemptedAt, status }) => {
    const createdAt = idMoment(eventId);
    return { id: eventId, reference: "", createdAt, updatedAt: attemptedAt ?? createdAt, status };
  },
  cells: ({ attempts, httpStatus, latencyMs, error, nextAt }) => [
    attempts,
    httpStatus,
    latencyMs,
    error,
    nextAt === null ? null : toIso(nextAt),
  ],
  totals: [],
};

async function showSubscription(
  ctx: Context,
  visit: SubscriptionVisit,
  refused?: Refused,
): Promise<PageAnswer> {
  const webhook = await getWebhook(ctx, visit);
  const [waiting, newest] = await Promise.all([
    waitingFor(ctx, visit),
    newestDeliveries(ctx.db, visit.merchant, webhook.id),
  ]);
  const content = subscriptionView(visit, webhook, { waiting, newest, refused });
  return { title: `Webhook for ${subscribedWords(webhook.event)}`, section: "webhooks", content };
}
