import {
  rotateStep,
  signingKeyShown,
  webhookDeletion,
  webhookList,
} from "../../../browser/dashboard/webhooks.ts";
import { type Webhook, webhooksOf } from "../../features/webhooks/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import { EVENT_VALUES } from "../../platform/outbox/announce.ts";
import type { World } from "../../platform/world.ts";
import { callApi } from "./call-api.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "./visit.ts";

const home = ({ base }: MerchantVisit) => `${base}/webhooks`;
const saved = (visit: MerchantVisit, words: string): PageAnswer => ({
  goTo: home(visit),
  say: { tone: "good", words },
});

type Shown = { readonly username: string | null; readonly header: "Authorization" | "X-Authorization" };
type Key = {
  readonly signingKey: string;
  readonly standardWebhooksSecret: string;
  readonly createdDateTime: string;
};
type Ping = {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
};

export const webhookPages: readonly MerchantPage[] = [
  { method: "GET", path: "/webhooks", may: "read", run: showWebhooks },
  {
    method: "POST",
    path: "/webhooks/create",
    may: "act",
    audit: "webhook subscribed",
    again: showWebhooks,
    run: async (world, visit) => {
      const { event = "", url = "" } = visit.fields;
      await callApi(world, visit.caller, "createWebhook", { body: { event, url: url.trim() } });
      return saved(visit, `Every event of ${event} from now on is posted to that address.`);
    },
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/change",
    may: "act",
    audit: "webhook changed",
    back: home,
    run: async (world, visit) => {
      const { status, url } = visit.fields;
      const body = {
        ...(status === undefined ? {} : { status }),
        ...(url === undefined ? {} : { url: url.trim() }),
      };
      await callApi(world, visit.caller, "changeWebhook", { body, params: visit.params });
      return saved(visit, "The subscription is changed.");
    },
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/test",
    may: "act",
    audit: "webhook tested",
    back: home,
    run: async (world, visit) => {
      const ping = (await callApi(world, visit.caller, "testWebhook", { params: visit.params })) as Ping;
      if (ping.status === "delivered")
        return saved(visit, `The ping was answered with ${ping.httpStatus ?? ""} in ${ping.latencyMs} ms.`);
      const words = `The ping failed after ${ping.latencyMs} ms: ${ping.error ?? "no answer"}.`;
      return { goTo: home(visit), say: { tone: "bad", words } };
    },
  },
  {
    method: "GET",
    path: "/webhooks/:webhookId/delete",
    may: "act",
    run: async (world, visit) => {
      const webhook = await getWebhook(world, visit);
      const content = webhookDeletion({
        base: visit.base,
        formToken: visit.formToken,
        id: webhook.id,
        event: webhook.event,
        url: webhook.url,
      });
      return { title: "Delete the subscription?", section: "webhooks", content };
    },
  },
  {
    method: "POST",
    path: "/webhooks/:webhookId/delete",
    may: "act",
    audit: "webhook deleted",
    back: home,
    run: async (world, visit) => {
      await callApi(world, visit.caller, "deleteWebhook", { params: visit.params });
      return saved(visit, "The subscription is deleted.");
    },
  },
  {
    method: "POST",
    path: "/webhooks/settings",
    may: "manage",
    audit: "webhook credentials",
    back: home,
    again: showWebhooks,
    run: async (world, visit) => {
      const { username = "", password = "", header = "" } = visit.fields;
      const clear = username === "";
      const body = {
        username: clear ? null : username,
        ...(clear ? { password: null } : password === "" ? {} : { password }),
        header,
      };
      await callApi(world, visit.caller, "changeWebhookSettings", { body });
      return saved(visit, clear ? "Deliveries carry no credentials." : "Deliveries carry these credentials.");
    },
  },
  {
    method: "POST",
    path: "/webhooks/signing-key",
    may: "manage",
    audit: "webhook signing key shown",
    back: home,
    run: async (world, visit) => showKey(visit, await callApi(world, visit.caller, "getWebhookSigningKey")),
  },
  {
    method: "GET",
    path: "/webhooks/signing-key/rotate",
    may: "manage",
    run: async (_world, { base, formToken }) => ({
      title: "Replace the signing key?",
      section: "webhooks",
      content: rotateStep(base, formToken),
    }),
  },
  {
    method: "POST",
    path: "/webhooks/signing-key/rotate",
    may: "manage",
    audit: "webhook signing key replaced",
    back: home,
    run: async (world, visit) =>
      showKey(visit, await callApi(world, visit.caller, "rotateWebhookSigningKey")),
  },
];

function showKey(visit: MerchantVisit, answer: unknown): PageAnswer {
  const { signingKey, standardWebhooksSecret, createdDateTime } = answer as Key;
  const content = signingKeyShown({
    signingKey,
    standardWebhooksSecret,
    createdAt: createdDateTime,
    backTo: home(visit),
  });
  return { title: "Signing key", section: "webhooks", content };
}

async function getWebhook(world: World, { merchant, params }: MerchantVisit): Promise<Webhook> {
  const id = parseId("webhook", params["webhookId"] ?? "");
  const own = await webhooksOf(world.db, [merchant.id]);
  return own.find((webhook) => webhook.id === id) ?? refuse("V11010");
}

async function showWebhooks(world: World, visit: MerchantVisit, refused?: Refused): Promise<PageAnswer> {
  const { base, formToken, merchant, fields } = visit;
  const webhooks = (await webhooksOf(world.db, [merchant.id])).map(
    ({ id, event, url, status, failingSince }) => ({
      id,
      event,
      url,
      status,
      failingSince: failingSince === null ? undefined : toIso(failingSince),
    }),
  );
  const taken = new Set(webhooks.map(({ event }) => event));
  const settings = (await callApi(world, visit.caller, "getWebhookSettings")) as Shown;
  const content = webhookList({
    base,
    formToken,
    webhooks,
    free: EVENT_VALUES.filter((event) => !taken.has(event)),
    settings,
    may: { act: visit.may("act"), manage: visit.may("manage") },
    typed: refused === undefined ? {} : fields,
    problems: {
      event: refused?.byField["/event"],
      url: refused?.byField["/url"],
      username: refused?.byField["/username"],
      password: refused?.byField["/password"],
      header: refused?.byField["/header"],
    },
  });
  const loose = refused !== undefined && Object.keys(refused.byField).length === 0;
  return {
    title: "Webhooks",
    section: "webhooks",
    content,
    ...(loose ? { notice: { tone: "bad", words: refused.words } as const } : {}),
  };
}
