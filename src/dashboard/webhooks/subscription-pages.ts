import { zoneOf } from "../../features/merchants/index.ts";
import { type Webhook, webhooksOf } from "../../features/webhooks/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { COUNTED_AT_MOST } from "../overview/queries.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "../shell/visit.ts";
import { answerWords } from "./delivery-words.ts";
import { countWaiting, newestDeliveries } from "./queries.ts";
import { deletionStep, disablingStep, subscriptionPage } from "./subscription-view.ts";

const pathOf = ({ base, params }: MerchantVisit) => `${base}/webhooks/${params["webhookId"] ?? ""}`;
const saved = (visit: MerchantVisit, words: string): PageAnswer => ({
  goTo: pathOf(visit),
  say: { tone: "good", words },
});

type Ping = {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
};

/** One subscription: its address, how its deliveries go, a ping, and its end. */
export const subscriptionPages: readonly MerchantPage[] = [
  { method: "GET", path: "/webhooks/:webhookId", may: "read", run: showSubscription },
  {
    method: "POST",
    path: "/webhooks/:webhookId/address",
    may: "act",
    audit: "webhook address changed",
    back: pathOf,
    again: showSubscription,
    run: async (ctx, visit) => {
      const url = (visit.fields["url"] ?? "").trim();
      await visit.callApi(ctx, visit.caller, "changeWebhook", { body: { url }, params: visit.params });
      return saved(visit, "From now on events are posted to the new address, also those that wait.");
    },
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/test",
    may: "act",
    audit: "webhook tested",
    back: pathOf,
    run: async (ctx, visit) => {
      const ping = (await visit.callApi(ctx, visit.caller, "testWebhook", { params: visit.params })) as Ping;
      const words = answerWords(ping);
      if (ping.status === "delivered") return saved(visit, `The ping was acknowledged: ${words}.`);
      return { goTo: pathOf(visit), say: { tone: "bad", words: `The ping was not acknowledged: ${words}.` } };
    },
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/enable",
    may: "act",
    audit: "webhook enabled",
    back: pathOf,
    run: async (ctx, visit) => {
      const body = { status: "active" };
      await visit.callApi(ctx, visit.caller, "changeWebhook", { body, params: visit.params });
      return saved(visit, "The subscription is enabled: events from now on are delivered.");
    },
  },
  {
    method: "GET",
    path: "/webhooks/:webhookId/disable",
    may: "act",
    run: async (ctx, visit) => ({
      title: "Disable the subscription?",
      section: "webhooks",
      content: disablingStep(await endingOf(ctx, visit)),
    }),
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/disable",
    may: "act",
    audit: "webhook disabled",
    back: pathOf,
    run: async (ctx, visit) => {
      const body = { status: "disabled" };
      await visit.callApi(ctx, visit.caller, "changeWebhook", { body, params: visit.params });
      return saved(visit, "The subscription is disabled.");
    },
  },
  {
    method: "GET",
    path: "/webhooks/:webhookId/delete",
    may: "act",
    run: async (ctx, visit) => ({
      title: "Delete the subscription?",
      section: "webhooks",
      content: deletionStep(await endingOf(ctx, visit)),
    }),
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/delete",
    may: "act",
    audit: "webhook deleted",
    back: pathOf,
    run: async (ctx, visit) => {
      await visit.callApi(ctx, visit.caller, "deleteWebhook", { params: visit.params });
      return {
        goTo: `${visit.base}/webhooks`,
        say: { tone: "good", words: "The subscription is deleted." },
      };
    },
  },
];

async function getWebhook(ctx: Context, { merchant, params }: MerchantVisit): Promise<Webhook> {
  const id = parseId("webhook", params["webhookId"] ?? "");
  const own = await webhooksOf(ctx.db, [merchant.id]);
  return own.find((webhook) => webhook.id === id) ?? refuse("resource_not_found");
}

async function endingOf(ctx: Context, visit: MerchantVisit) {
  const { id, event, url } = await getWebhook(ctx, visit);
  const waiting = await countWaiting(ctx.db, visit.merchant.id, id, COUNTED_AT_MOST);
  return {
    path: pathOf(visit),
    formToken: visit.formToken,
    event,
    url,
    waiting,
    countedAtMost: COUNTED_AT_MOST,
  };
}

async function showSubscription(ctx: Context, visit: MerchantVisit, refused?: Refused): Promise<PageAnswer> {
  const { merchant, base, formToken, fields } = visit;
  const webhook = await getWebhook(ctx, visit);
  const [waiting, newest] = await Promise.all([
    countWaiting(ctx.db, merchant.id, webhook.id, COUNTED_AT_MOST),
    newestDeliveries(ctx.db, merchant.id, webhook.id),
  ]);
  const { id, event, url, status, createdAt } = webhook;
  const content = subscriptionPage({
    base,
    path: pathOf(visit),
    formToken,
    zone: zoneOf(merchant),
    now: clockOf(ctx, merchant),
    mayAct: visit.may("act"),
    webhook: { id, event, url, status, failingSince: webhook.failingSince ?? undefined, createdAt },
    waiting,
    countedAtMost: COUNTED_AT_MOST,
    newest: newest.map((one) => ({
      ...one,
      nextAt: one.nextAt === null ? null : one.nextAt + merchant.clockOffset,
    })),
    typed: refused === undefined ? undefined : fields["url"],
    problem: refused === undefined ? undefined : (refused.byField["/url"] ?? refused.words),
  });
  return { title: `Webhook for ${event}`, section: "webhooks", content };
}
