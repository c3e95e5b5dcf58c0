import { type Html, html } from "../../../browser/ui/html.ts";
import type { AcquirerAccount } from "../../features/acquirer-accounts/index.ts";
import { CARD_TYPES, schemeName } from "../../kernel/card-type.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, panel } from "../shell/parts/facts.ts";
import { check, choice, group, postButton, postForm, textArea } from "../shell/parts/form.ts";
import { emptyState, table } from "../shell/parts/table.ts";

export type FormInput = Pick<AcquirerAccount, "connector" | "currencies" | "cardTypes"> & {
  /** As typed. */
  readonly settings: string;
};

type Model = {
  readonly accounts: readonly AcquirerAccount[];
  readonly connectors: readonly string[];
  readonly refused: { readonly input: FormInput; readonly problems: readonly string[] } | undefined;
};

/** The accounts that take a merchant's card payments, in their order, and a form for another. */
export function acquirersView(visit: MerchantVisit, { accounts, connectors, refused }: Model): Html {
  return html`${accounts.length === 0 ? none(visit) : list(visit, accounts)}
${panel("Add an account", form(visit, connectors, refused))}`;
}

function none({ merchant }: MerchantVisit): Html {
  return emptyState(
    merchant.mode === "sandbox"
      ? "The simulator answers card payments. Add an account to use a bank's test host instead."
      : "This merchant cannot take card payments until an account is added.",
  );
}

function list(visit: MerchantVisit, accounts: readonly AcquirerAccount[]): Html {
  const rows = accounts.map((account, place) => [
    html`${place + 1}. ${account.connector}`,
    copyable(account.id, "the account's id"),
    account.currencies.join(", ") || "All",
    account.cardTypes.map(schemeName).join(", ") || "All",
    badge(account.status),
    actions(visit, account, place),
  ]);
  const columns = [
    { head: "Connector" },
    { head: "Account" },
    { head: "Currencies" },
    { head: "Cards" },
    { head: "Status" },
    { head: "Actions", kind: "actions" } as const,
  ];
  return html`${table({ caption: "Acquirer accounts", columns, rows, stacks: true })}
<p class="hint">A payment goes to the first active account that takes its currency and card. The next one is used only when the first surely did not receive it.</p>`;
}

function actions({ base, formToken }: MerchantVisit, { id, status }: AcquirerAccount, place: number): Html {
  const path = `${base}/acquirers/${id}`;
  const what = `account ${id}`;
  const button = (verb: string, label: string) =>
    postButton({ action: `${path}/${verb}`, formToken, button: label, what });
  return html`${button("test", "Test")} ${place > 0 && button("first", "Put first")} ${
    status === "active"
      ? html`<a class="small small-danger" href="${path}/disable">Disable<span class="visually-hidden"> ${what}</span></a>`
      : button("enable", "Enable")
  }`;
}

function form(
  { base, formToken }: MerchantVisit,
  connectors: readonly string[],
  refused: Model["refused"],
): Html {
  const among = connectors.map((value) => ({ value, label: value }));
  const { connector, settings, currencies = [], cardTypes = [] } = refused?.input ?? {};
  return postForm({
    action: `${base}/acquirers/add`,
    formToken,
    button: "Add account",
    content: html`${choice({ name: "connector", label: "Connector", value: connector, among })}
${textArea({
  name: "settings",
  label: "Settings",
  hint: "JSON as your acquirer gave you the values; see the guide “Going live”. They are encrypted and never shown again.",
  value: settings,
  rows: 8,
  problem: refused?.problems.join("; "),
})}
${group(
  "Currencies (none ticked: all)",
  CURRENCIES.map((one) => check({ name: `currency-${one}`, label: one, on: currencies.includes(one) })),
)}
${group(
  "Cards (none ticked: all)",
  CARD_TYPES.map((one) =>
    check({ name: `card-${one}`, label: schemeName(one), on: cardTypes.includes(one) }),
  ),
)}`,
  });
}
