import { html } from "../../../browser/ui/html.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import { type MerchantPage, type MerchantVisit, merchantPage, type PageAnswer } from "../shell/page.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { exactTime } from "../shell/times.ts";

const home = ({ base }: MerchantVisit) => `${base}/webhooks`;

type Key = {
  readonly signingKey: string;
  readonly standardWebhooksSecret: string;
  readonly createdDateTime: string;
};

/** The key that signs deliveries: shown on request, and replaced. */
export const signingKeyPages: readonly MerchantPage[] = [
  merchantPage({
    method: "POST",
    path: "/webhooks/signing-key",
    right: "manage",
    needsProof: true,
    audit: "webhook signing key shown",
    backTo: home,
    run: async (ctx, visit) => showKey(visit, await visit.callApi(ctx, visit.caller, "getWebhookSigningKey")),
  }),
  ...confirmedMerchantPages("webhooks", {
    path: "/webhooks/signing-key/rotate",
    right: "manage",
    needsProof: true,
    audit: "webhook signing key replaced",
    backTo: home,
    confirm: async () => ({
      title: "Replace the signing key?",
      words: [
        "From now on deliveries are signed with a new key.",
        "For 24 hours they also carry X-Signature-Previous, made with the key before. Install the new key on your server within that time.",
      ],
      button: "Replace the key",
    }),
    run: async (ctx, visit) =>
      showKey(visit, await visit.callApi(ctx, visit.caller, "rotateWebhookSigningKey")),
  }),
];

function showKey(visit: MerchantVisit, answer: unknown): PageAnswer {
  const { signingKey, standardWebhooksSecret, createdDateTime } = answer as Key;
  const content = panel(
    "Keep it on your server",
    html`${facts([
      ["Signing key", copyable(signingKey, "the signing key")],
      ["For Standard Webhooks", copyable(standardWebhooksSecret, "the secret for Standard Webhooks")],
      ["Created", exactTime(Date.parse(createdDateTime), visit.zone)],
    ])}
<p>Anyone who has this key can sign as the gateway.</p>
<p><a class="button button-quiet" href="${home(visit)}">Done</a></p>`,
  );
  return { title: "Signing key", section: "webhooks", content };
}
