import { type Html, html } from "../../../browser/ui/html.ts";
import { type ApiKey, isActive } from "../../features/merchants/index.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Confirmation } from "../shell/confirmed-pages.ts";
import { timeCell, wordsCell } from "../shell/lists/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, panel } from "../shell/parts/facts.ts";
import { check, type FieldProblems, field, group, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";
import { table } from "../shell/parts/table.ts";
import { countText } from "../shell/words.ts";

const SCOPES = [
  { name: "read", label: "read", hint: "View everything.", on: true },
  { name: "write", label: "write", hint: "Take payments, refund, subscribe to webhooks.", on: true },
  { name: "admin", label: "admin", hint: "Change the account, see the signing key.", on: false },
];

/** A form that was refused: its problems by field, and what was typed. */
export type RefusedKey = {
  readonly problems: FieldProblems;
  readonly typed: {
    readonly scopes: ApiKey["scopes"];
    readonly expires: string | undefined;
    readonly addresses: string | undefined;
  };
};

type KeysModel = {
  readonly visit: MerchantVisit;
  readonly keys: readonly ApiKey[];
  readonly refused: RefusedKey | undefined;
  /** The key that the new one is to replace: the form begins with its rights. */
  readonly like: ApiKey | undefined;
  readonly now: Instant;
};

export function keysView({ visit, keys, refused, like, now }: KeysModel): Html {
  const { base, may } = visit;
  const rows = keys.map((key) => [
    html`<code>…${key.hint}</code>`,
    key.scopes.join(", "),
    key.addresses.length === 0 ? "any address" : wordsCell(key.addresses.join(", ")),
    timeCell(key.createdAt, visit),
    key.lastUsedAt === null ? "never" : timeCell(key.lastUsedAt, visit),
    statusOf(key, visit, now),
    ...(may("manage") ? [isActive(key, now) ? keyLinks(base, key) : html``] : []),
  ]);
  const columns = [
    { head: "Ends with" },
    { head: "Scopes" },
    { head: "Works from", kind: "words" } as const,
    { head: "Created" },
    { head: "Last used" },
    { head: "Status" },
    ...(may("manage") ? [{ head: "Actions", kind: "actions" } as const] : []),
  ];
  return html`${table({ caption: "API keys of this merchant", columns, rows, stacks: true })}
${may("manage") && html`<div id="new" class="apart">${panel(like === undefined ? "New API key" : `New key in place of …${like.hint}`, html`<p class="lead">To rotate a key, create a new one, put it on your server, and revoke the old one once its last use is in the past. Both work in the meantime.</p>${creationForm(visit, refused, like)}`)}</div>`}`;
}

function statusOf(key: ApiKey, visit: MerchantVisit, now: Instant): Html {
  const { revokedAt, expiresAt } = key;
  if (revokedAt !== null) return html`${badge("revoked")} ${timeCell(revokedAt, visit)}`;
  if (expiresAt === null) return badge("active");
  const end = timeCell(expiresAt, visit);
  return isActive(key, now) ? html`${badge("active")} until ${end}` : html`${badge("expired")} ${end}`;
}

function keyLinks(base: string, { id, hint }: ApiKey): Html {
  return html`<a class="small" href="${base}/keys?like=${id}#new">Rotate<span class="visually-hidden"> the key that ends with ${hint}</span></a> <a class="small small-danger" href="${base}/keys/${id}/revoke">Revoke<span class="visually-hidden"> the key that ends with ${hint}</span></a>`;
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

function creationForm(
  { base, formToken }: MerchantVisit,
  refused: RefusedKey | undefined,
  like: ApiKey | undefined,
): Html {
  const { problems = {}, typed } = refused ?? {};
  const chosen = typed?.scopes ?? like?.scopes;
  const scopes = SCOPES.map((scope) => ({
    ...scope,
    on: chosen?.some((one) => one === scope.name) ?? scope.on,
  }));
  return postForm({
    action: `${base}/keys/create`,
    formToken,
    button: "Create key",
    content: html`${problems["scopes"] !== undefined && notice({ tone: "bad", words: problems["scopes"] })}${group("Scopes", scopes.map(check))}
${field({
  name: "expires",
  label: "Expires (optional)",
  hint: "The key is refused from then on, such as 2027-06-30T12:00:00+10:00.",
  value: typed?.expires,
  problem: problems["expires"],
})}
${field({
  name: "addresses",
  label: "Works from (optional)",
  hint: "Addresses or CIDR ranges of your servers, with commas between. Empty: any address.",
  value: typed?.addresses ?? like?.addresses.join(", "),
  problem: problems["addresses"],
  width: "long",
})}`,
  });
}

/** Shown once: the gateway keeps only the hash. */
export function newKeyView(secret: string, backTo: string): Html {
  return panel(
    "Copy it now",
    html`<p>${copyable(secret, "the API key")}</p>
<p>It is shown this once; the gateway keeps only its hash. Keep it on your server, never in a page or an app. If it replaces another key, revoke that one once your server uses this one.</p>
<p><a class="button button-quiet" href="${backTo}">I have copied it</a></p>`,
  );
}
