import { zoneOf } from "../../features/merchants/index.ts";
import { exactTime } from "../shell/times.ts";
import type { MerchantPage, MerchantVisit, PageAnswer } from "../shell/visit.ts";
import { rotateStep, signingKeyShown } from "./signing-key-view.ts";

const home = ({ base }: MerchantVisit) => `${base}/webhooks`;

type Key = {
  readonly signingKey: string;
  readonly standardWebhooksSecret: string;
  readonly createdDateTime: string;
};

/** The key that deliveries are signed with: shown on request, and replaced. */
export const signingKeyPages: readonly MerchantPage[] = [
  {
    method: "POST",
    path: "/webhooks/signing-key",
    may: "manage",
    audit: "webhook signing key shown",
    back: home,
    run: async (ctx, visit) => showKey(visit, await visit.callApi(ctx, visit.caller, "getWebhookSigningKey")),
  },
  {
    method: "GET",
    path: "/webhooks/signing-key/rotate",
    may: "manage",
    run: async (_ctx, { base, formToken }) => ({
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
    run: async (ctx, visit) =>
      showKey(visit, await visit.callApi(ctx, visit.caller, "rotateWebhookSigningKey")),
  },
];

function showKey(visit: MerchantVisit, answer: unknown): PageAnswer {
  const { signingKey, standardWebhooksSecret, createdDateTime } = answer as Key;
  const made = exactTime(Date.parse(createdDateTime), zoneOf(visit.merchant));
  const content = signingKeyShown({ signingKey, standardWebhooksSecret, made, backTo: home(visit) });
  return { title: "Signing key", section: "webhooks", content };
}
