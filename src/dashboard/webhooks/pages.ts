import { webhooksOf } from "../../features/webhooks/index.ts";
import type { Context } from "../../platform/context.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  type Refused,
  redirect,
} from "../shell/page.ts";
import { takesCredentials } from "./takes-credentials.ts";
import { type CredentialSettings, subscribedWords, webhooksView } from "./view.ts";

const home = ({ base }: MerchantVisit) => `${base}/webhooks`;

/** The subscriptions, and the credentials that deliveries carry. */
export const webhookPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: "/webhooks", right: "read", run: showWebhooks }),
  merchantPage({
    method: "POST",
    path: "/webhooks/create",
    right: "act",
    isSensitive: takesCredentials,
    audit: "webhook subscribed",
    onRefused: showWebhooks,
    run: async (ctx, visit) => {
      const { event = "", url = "" } = visit.fields;
      await visit.callApi(ctx, visit.caller, "createWebhook", { body: { event, url: url.trim() } });
      const words = `Subscribed to ${subscribedWords(event)}. Each event from now on is posted to that address.`;
      return redirect(home(visit), words);
    },
  }),
  merchantPage({
    method: "POST",
    path: "/webhooks/settings",
    right: "manage",
    needsProof: true,
    audit: "webhook credentials",
    backTo: home,
    onRefused: showWebhooks,
    run: async (ctx, visit) => {
      const { username = "", password = "", header = "" } = visit.fields;
      const clear = username === "" && password === "";
      const body = {
        username: username === "" ? null : username,
        ...(clear ? { password: null } : password === "" ? {} : { password }),
        header,
      };
      await visit.callApi(ctx, visit.caller, "changeWebhookSettings", { body });
      const words = clear ? "Deliveries carry no credentials." : "Deliveries carry these credentials.";
      return redirect(home(visit), words);
    },
  }),
];

async function showWebhooks(ctx: Context, visit: MerchantVisit, refused?: Refused): Promise<PageAnswer> {
  const webhooks = await webhooksOf(ctx.db, [visit.merchant.id]);
  const settings = (await visit.callApi(ctx, visit.caller, "getWebhookSettings")) as CredentialSettings;
  return {
    title: "Webhooks",
    section: "webhooks",
    content: webhooksView(visit, { webhooks, settings, refused }),
  };
}
