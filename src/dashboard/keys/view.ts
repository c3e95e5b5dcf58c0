import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "../shell/parts/badge.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { copyable, panel } from "../shell/parts/facts.ts";
import { check, group, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime } from "../shell/times.ts";
import { countText } from "../shell/words.ts";

export type ShownKey = {
  readonly id: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
};

export type KeyListModel = {
  readonly base: string;
  readonly formToken: string;
  readonly zone: string;
  readonly keys: readonly ShownKey[];
  readonly mayManage: boolean;
  readonly problem: string | undefined;
};

const SCOPES = [
  { name: "read", label: "read", hint: "Look at everything.", on: true },
  { name: "write", label: "write", hint: "Take payments, refund, subscribe to webhooks.", on: true },
  { name: "admin", label: "admin", hint: "Change the account, see the signing key.", on: false },
];

export function keyList({ base, formToken, zone, keys, mayManage, problem }: KeyListModel): Html {
  const rows = keys.map((key) => [
    html`<code>…${key.hint}</code>`,
    key.scopes.join(", "),
    exactTime(key.createdAt, zone),
    key.revokedAt === undefined
      ? badge("active")
      : html`${badge("revoked")} ${exactTime(key.revokedAt, zone)}`,
    ...(mayManage ? [key.revokedAt === undefined ? revoke(base, key) : html``] : []),
  ]);
  const columns = [
    { head: "Ends with" },
    { head: "Scopes" },
    { head: "Created" },
    { head: "Status" },
    ...(mayManage ? [{ head: "Actions", kind: "actions" } as const] : []),
  ];
  return html`${table({ caption: "API keys of this merchant", columns, rows, stacks: true })}
${mayManage && panel("New API key", creation(base, formToken, problem))}`;
}

function revoke(base: string, { id, hint }: ShownKey): Html {
  return html`<a class="small small-danger" href="${base}/keys/${id}/revoke">Revoke<span class="visually-hidden"> the key that ends with ${hint}</span></a>`;
}

export type RevokeModel = {
  readonly base: string;
  readonly formToken: string;
  readonly key: ShownKey;
  /** How many other keys of the merchant work. */
  readonly others: number;
};

/** What stops, and what goes on. */
export function revokeStep({ base, formToken, key, others }: RevokeModel): Html {
  const left =
    others === 0
      ? "It is the only key: nothing can call the API for this merchant until you make another."
      : `${countText(others, "other key goes", "other keys go")} on working.`;
  return confirmStep({
    action: `${base}/keys/${key.id}/revoke`,
    formToken,
    words: [
      `The key that ends with ${key.hint} (${key.scopes.join(", ")}) stops working on every node within seconds; whatever uses it is refused. ${left}`,
      "This can't be undone.",
    ],
    button: "Revoke the key",
    backTo: `${base}/keys`,
  });
}

function creation(base: string, formToken: string, problem: string | undefined): Html {
  return postForm({
    action: `${base}/keys/create`,
    formToken,
    button: "Create key",
    content: html`${problem !== undefined && notice({ tone: "bad", words: problem })}${group("Scopes", SCOPES.map(check))}`,
  });
}

/** Shown this once: the gateway keeps only its hash. */
export function newKeyShown(secret: string, backTo: string): Html {
  return panel(
    "Copy it now",
    html`<p>${copyable(secret, "the API key")}</p>
<p>It is shown this once; the gateway keeps only its hash. Keep it on your server, never in a page or an app.</p>
<p><a class="button button-quiet" href="${backTo}">I have copied it</a></p>`,
  );
}
