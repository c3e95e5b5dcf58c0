import { type Html, html } from "../../../browser/ui/html.ts";
import type { ApiKey } from "../../features/merchants/index.ts";
import type { Confirmation } from "../shell/confirmed-pages.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, panel } from "../shell/parts/facts.ts";
import { check, group, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime } from "../shell/times.ts";
import { countText } from "../shell/words.ts";

const SCOPES = [
  { name: "read", label: "read", hint: "View everything.", on: true },
  { name: "write", label: "write", hint: "Take payments, refund, subscribe to webhooks.", on: true },
  { name: "admin", label: "admin", hint: "Change the account, see the signing key.", on: false },
];

export function keysView(visit: MerchantVisit, keys: readonly ApiKey[], problem: string | undefined): Html {
  const { base, zone, may } = visit;
  const rows = keys.map((key) => [
    html`<code>…${key.hint}</code>`,
    key.scopes.join(", "),
    exactTime(key.createdAt, zone),
    key.revokedAt === null ? badge("active") : html`${badge("revoked")} ${exactTime(key.revokedAt, zone)}`,
    ...(may("manage") ? [key.revokedAt === null ? revokeLink(base, key) : html``] : []),
  ]);
  const columns = [
    { head: "Ends with" },
    { head: "Scopes" },
    { head: "Created" },
    { head: "Status" },
    ...(may("manage") ? [{ head: "Actions", kind: "actions" } as const] : []),
  ];
  return html`${table({ caption: "API keys of this merchant", columns, rows, stacks: true })}
${may("manage") && panel("New API key", creationForm(visit, problem))}`;
}

function revokeLink(base: string, { id, hint }: ApiKey): Html {
  return html`<a class="small small-danger" href="${base}/keys/${id}/revoke">Revoke<span class="visually-hidden"> the key that ends with ${hint}</span></a>`;
}

/** `others` counts the merchant's other active keys. */
export function revocationOf({ hint, scopes }: ApiKey, others: number): Confirmation {
  const left =
    others === 0
      ? "It is the only key: nothing can call the API for this merchant until you make another."
      : `${countText(others, "other key goes", "other keys go")} on working.`;
  return {
    title: "Revoke the key?",
    words: [
      `The key that ends with ${hint} (${scopes.join(", ")}) stops working on every node within seconds; whatever uses it is refused. ${left}`,
      "This can't be undone.",
    ],
    button: "Revoke the key",
  };
}

function creationForm({ base, formToken }: MerchantVisit, problem: string | undefined): Html {
  return postForm({
    action: `${base}/keys/create`,
    formToken,
    button: "Create key",
    content: html`${problem !== undefined && notice({ tone: "bad", words: problem })}${group("Scopes", SCOPES.map(check))}`,
  });
}

/** Shown once: the gateway keeps only the hash. */
export function newKeyView(secret: string, backTo: string): Html {
  return panel(
    "Copy it now",
    html`<p>${copyable(secret, "the API key")}</p>
<p>It is shown this once; the gateway keeps only its hash. Keep it on your server, never in a page or an app.</p>
<p><a class="button button-quiet" href="${backTo}">I have copied it</a></p>`,
  );
}
