import { type Html, html } from "../../../browser/ui/html.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";

export function rotateStep(base: string, formToken: string): Html {
  return confirmStep({
    action: `${base}/webhooks/signing-key/rotate`,
    formToken,
    words: [
      "From now on deliveries are signed with a new key.",
      "For 24 hours they also carry X-Signature-Previous, made with the key before. Give your server the new key within that time.",
    ],
    button: "Replace the key",
    backTo: `${base}/webhooks`,
  });
}

export function signingKeyShown(key: {
  readonly signingKey: string;
  readonly standardWebhooksSecret: string;
  readonly made: string;
  readonly backTo: string;
}): Html {
  return panel(
    "Keep it on your server",
    html`${facts([
      ["Signing key", copyable(key.signingKey, "the signing key")],
      ["For Standard Webhooks", copyable(key.standardWebhooksSecret, "the secret for Standard Webhooks")],
      ["Made", key.made],
    ])}
<p>Whoever holds it can sign as the gateway does.</p>
<p><a class="button button-quiet" href="${key.backTo}">Done</a></p>`,
  );
}
