import { zoneOf } from "../../features/merchants/index.ts";
import { webhooksOf } from "../../features/webhooks/index.ts";
import type { Context } from "../../platform/context.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "../shell/visit.ts";
import { webhookList } from "./view.ts";

const home = ({ base }: MerchantVisit) => `${base}/webhooks`;
const saved = (visit: MerchantVisit, words: string): PageAnswer => ({
  goTo: home(visit),
  say: { tone: "good", words },
});

type Shown = { readonly username: string | null; readonly header: "Authorization" | "X-Authorization" };

/** Who is told of what, and how deliveries show that they are ours. One subscription has a page of its own. */
export const webhookPages: readonly MerchantPage[] = [
  { method: "GET", path: "/webhooks", may: "read", run: showWebhooks },
  {
    method: "POST",
    path: "/webhooks/create",
    may: "act",
    audit: "webhook subscribed",
    again: showWebhooks,
    run: async (ctx, visit) => {
      const { event = "", url = "" } = visit.fields;
      await visit.callApi(ctx, visit.caller, "createWebhook", { body: { event, url: url.trim() } });
      return saved(visit, `Every event of ${event} from now on is posted to that address.`);
    },
  },
  {
    method: "POST",
    path: "/webhooks/settings",
    may: "manage",
    audit: "webhook credentials",
    back: home,
    again: showWebhooks,
    run: async (ctx, visit) => {
      const { username = "", password = "", header = "" } = visit.fields;
      const clear = username === "" && password === "";
      const body = {
        username: username === "" ? null : username,
        ...(clear ? { password: null } : password === "" ? {} : { password }),
        header,
      };
      await visit.callApi(ctx, visit.caller, "changeWebhookSettings", { body });
      return saved(visit, clear ? "Deliveries carry no credentials." : "Deliveries carry these credentials.");
    },
  },
];

async function showWebhooks(ctx: Context, visit: MerchantVisit, refused?: Refused): Promise<PageAnswer> {
  const { base, formToken, merchant, fields } = visit;
  const webhooks = (await webhooksOf(ctx.db, [merchant.id])).map(
    ({ id, event, url, status, failingSince }) => ({
      id,
      event,
      url,
      status,
      failingSince: failingSince ?? undefined,
    }),
  );
  const taken = new Set(webhooks.map(({ event }) => event));
  const settings = (await visit.callApi(ctx, visit.caller, "getWebhookSettings")) as Shown;
  const content = webhookList({
    base,
    formToken,
    zone: zoneOf(merchant),
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
