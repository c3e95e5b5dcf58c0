import { type Html, html } from "../../../browser/ui/html.ts";
import { merchantText } from "../../../browser/ui/merchant-text.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";

export type Receipt = {
  readonly merchantName: string;
  readonly amount: number;
  readonly surcharge: number;
  /** Less than amount and surcharge together where the merchant accepted a partial approval. */
  readonly charged: number;
  readonly currencyCode: string;
  readonly reference: string | undefined;
  readonly transactionId: string;
  /** Such as "Visa ending in 1111". */
  readonly card: string | undefined;
  /** In the format of the merchant's country. */
  readonly paidAt: string;
};

/** The receipt of a payment, to save or print. */
export function receipt(facts: Receipt): Html {
  return html`<dl class="receipt">
${row("Paid to", merchantText(facts.merchantName))}
${row("Date", html`${facts.paidAt}`)}
${facts.surcharge > 0 && row("Amount", html`${moneyText(facts.amount)}`)}
${facts.surcharge > 0 && row("Surcharge", html`${moneyText(facts.surcharge)}`)}
${row("Total", html`${moneyText(facts.amount + facts.surcharge)} ${facts.currencyCode}`)}
${facts.charged < facts.amount + facts.surcharge && row("Charged", html`${moneyText(facts.charged)} ${facts.currencyCode}`)}
${facts.card !== undefined && row("Card", html`${facts.card}`)}
${facts.reference !== undefined && row("Reference", merchantText(facts.reference))}
${row("Transaction", html`<span class="receipt-id">${facts.transactionId}</span>`)}
</dl>`;
}

function row(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
