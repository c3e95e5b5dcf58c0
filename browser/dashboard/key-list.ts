import { type Html, html } from "../ui/html.ts";
import { badge } from "./parts/badge.ts";
import { copyable, moment, panel } from "./parts/facts.ts";
import { check, group, postButton, postForm } from "./parts/form.ts";
import { notice } from "./parts/notice.ts";
import { table } from "./parts/table.ts";

export type ShownKey = {
  readonly id: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly revokedAt: string | undefined;
};

export type KeyListModel = {
  readonly base: string;
  readonly formToken: string;
  readonly keys: readonly ShownKey[];
  readonly mayManage: boolean;
  readonly problem: string | undefined;
};

const SCOPES = [
  { name: "read", label: "read", hint: "Look at everything.", on: true },
  { name: "write", label: "write", hint: "Take payments, refund, subscribe to webhooks.", on: true },
  { name: "admin", label: "admin", hint: "Change the account, see the signing key.", on: false },
];

export function keyList({ base, formToken, keys, mayManage, problem }: KeyListModel): Html {
  const rows = keys.map((key) => [
    html`<code>…${key.hint}</code>`,
    key.scopes.join(", "),
    moment(key.createdAt),
    key.revokedAt === undefined ? badge("active") : html`${badge("revoked")} ${moment(key.revokedAt)}`,
    ...(mayManage ? [key.revokedAt === undefined ? revoke(base, formToken, key) : html``] : []),
  ]);
  const columns = [
    { head: "Ends with" },
    { head: "Scopes" },
    { head: "Created" },
    { head: "Status" },
    ...(mayManage ? [{ head: "Actions", kind: "actions" } as const] : []),
  ];
  return html`${table({ caption: "API keys of this merchant", columns, rows })}
${mayManage && panel("New API key", creation(base, formToken, problem))}`;
}

function revoke(base: string, formToken: string, { id, hint }: ShownKey): Html {
  return postButton({
    action: `${base}/keys/${id}/revoke`,
    formToken,
    button: "Revoke",
    what: `the key that ends with ${hint}`,
    tone: "danger",
    confirm: `Revoke the key that ends with ${hint}? Whatever uses it stops working at once.`,
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
