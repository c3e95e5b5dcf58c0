import { type Html, html } from "../../../../browser/ui/html.ts";
import { ALERT } from "../../../../browser/ui/icons.ts";
import { merchantText } from "../../../../browser/ui/merchant-text.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import type { PageState } from "../../../../browser/ui/page-state.ts";
import { BANK_APP_PATH } from "../../../features/hosted-pages/index.ts";
import type { LinkedRequest } from "../../../features/incoming-transfers/index.ts";

/** The input of the form, and its problems. */
export type TypedPayment = Readonly<Record<"amount" | "payerName", string>>;
export type PaymentProblems = Partial<Readonly<Record<keyof TypedPayment, string>>>;

/** A page of the sandbox's bank app: plain forms, no scripts. */
export function bankAppPage(state: PageState, content: Html, style: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sandbox bank app</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${style}">
</head>
<body class="hosted-page">
<header class="shop hosted-single"><p class="shop-name">Sandbox bank app</p></header>
<main class="hosted hosted-single" data-state="${state}">
<div class="surface payment">${content}</div>
</main>
<footer class="signature"><span>No real bank, no real money</span><span class="sandbox">Sandbox</span></footer>
</body>
</html>
`.html;
}

const FIELDS: readonly FieldModel[] = [
  {
    name: "amount",
    label: "Amount in dollars",
    attributes: html`inputmode="decimal" autocomplete="off" placeholder="30.00" maxlength="20" required`,
  },
  {
    name: "payerName",
    label: "Your name (optional)",
    attributes: html`autocomplete="off" autocapitalize="words" maxlength="140"`,
  },
];

type PaymentForm = LinkedRequest & {
  readonly id: string;
  readonly payId: string;
  readonly typed: TypedPayment;
  readonly problems: PaymentProblems;
};

/** The payment form. Its id becomes the id of the transfer: a form that is submitted twice pays once. */
export function paymentForm({ id, payId, request, merchant, typed, problems }: PaymentForm): Html {
  return html`<h1 class="bank-heading">Pay to a PayID</h1>
<p class="bank-words">Simulate the payer: transfer money to ${merchantText(merchant.name)}, PayID ${merchantText(payId)}, which requests ${moneyText(request.amount)}.</p>
<form method="post" action="${BANK_APP_PATH}/${request.id}" novalidate>
<input type="hidden" name="id" value="${id}">
<input type="hidden" name="payId" value="${payId}">
${FIELDS.map((one) => field(one, typed, problems))}
<button class="pay" type="submit">Pay</button>
</form>
<p class="bank-words">The exact amount is accepted. Less, more, or a second transfer is returned. To pay late, first move your merchant's clock past the expiry with <code>POST /sandbox/clock/advance</code>.</p>`;
}

type FieldModel = {
  readonly name: keyof TypedPayment;
  readonly label: string;
  readonly attributes: Html;
};

function field(
  { name, label, attributes }: FieldModel,
  typed: TypedPayment,
  problems: PaymentProblems,
): Html {
  const problem = problems[name];
  return html`<div class="field${problem !== undefined && " field-wrong"}">
<div class="label-row"><label for="${name}">${label}</label></div>
<div class="box"><input id="${name}" name="${name}" type="text" ${attributes} value="${typed[name]}" aria-describedby="${name}-problem" aria-invalid="${problem === undefined ? "false" : "true"}" spellcheck="false"></div>
<p class="problem" id="${name}-problem"${problem === undefined && html` hidden`}>${ALERT}<span>${problem}</span></p>
</div>`;
}
