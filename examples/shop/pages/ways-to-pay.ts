import type { FieldProblems } from "../flows/start-payment.ts";
import type { Method } from "../orders/order.ts";
import type { SavedCard } from "../orders/order-store.ts";
import { dollars } from "../orders/price.ts";
import { formKeyField } from "./form-key.ts";
import { type Html, html } from "./html.ts";

type Way = {
  readonly method: Method;
  readonly title: string;
  readonly words: string;
  readonly button: (total: string) => string;
  readonly fields?: readonly Field[];
};
type Field = {
  readonly name: string;
  readonly label: string;
  /** The demo's default value. */
  readonly standard: string;
  readonly complete: string;
};

const PAYER: readonly Field[] = [
  { name: "name", label: "Name", standard: "Ann Lee", complete: "name" },
  { name: "email", label: "E-mail", standard: "ann@example.com", complete: "email" },
];

const WAYS: readonly Way[] = [
  {
    method: "card",
    title: "Card or wallet",
    words: "On this site, in a frame of the payment gateway.",
    button: () => "Continue to payment",
  },
  {
    method: "hosted",
    title: "Hosted page",
    words: "On a page of the payment gateway; you come back when it is done.",
    button: () => "Go to the payment page",
  },
  {
    method: "save",
    title: "Card, saved for next time",
    words: "As above, and the card is stored for your subscription, if you agree.",
    button: () => "Continue and save",
    fields: PAYER,
  },
  {
    method: "debit",
    title: "Direct debit",
    words: "From an Australian bank account. Your bank answers later.",
    button: (total) => `Debit ${total}`,
    fields: [
      ...PAYER,
      { name: "accountName", label: "Account name", standard: "Ann Lee", complete: "off" },
      { name: "bsb", label: "BSB", standard: "062000", complete: "off" },
      { name: "number", label: "Account number", standard: "12345678", complete: "off" },
    ],
  },
  {
    method: "payid",
    title: "PayID",
    words: "A transfer from your bank's app; it arrives within seconds.",
    button: () => "Show the PayID",
  },
];

/** A rejected form and its problems. */
export type SentBack = { readonly problems: FieldProblems; readonly form: URLSearchParams };

type WaysToPay = {
  readonly action: string;
  readonly total: number;
  readonly card: SavedCard | undefined;
  readonly chosen: string | null;
  readonly back?: SentBack | undefined;
};

/** Every way to pay, each a form in a `details` element. Works without scripts. */
export function waysToPay({ action, total, card, chosen, back }: WaysToPay): Html {
  const saved: Way | undefined = card && {
    method: "saved",
    title: `Your ${card.label}`,
    words: "Stored with an earlier order. One click, no form.",
    button: (sum) => `Pay ${sum} now`,
  };
  const ways = saved === undefined ? WAYS : [saved, ...WAYS];
  const formKey = formKeyField();
  return html`<div class="ways">${ways.map(({ method, title, words, button, fields = [] }) => {
    const open = (chosen ?? "card") === method;
    return html`<details class="way" name="way"${open && html` open`}>
<summary>${title}</summary>
<form method="post" action="${action}"><input type="hidden" name="method" value="${method}">${formKey}
<p>${words}</p>${fields.map((field) => fieldMarkup(method, field, open ? back : undefined))}<button>${button(dollars(total))}</button></form></details>\n`;
  })}</div>`;
}

function fieldMarkup(
  method: Method,
  { name, label, standard, complete }: Field,
  back: SentBack | undefined,
): Html {
  const id = `${method}-${name}`;
  const problem = back?.problems[name];
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${back?.form.get(name) ?? standard}" autocomplete="${complete}"${problem !== undefined && html` aria-invalid="true" aria-describedby="${id}-problem"`}>
${problem !== undefined && html`<span class="problem" id="${id}-problem">${problem}</span>`}</p>`;
}
