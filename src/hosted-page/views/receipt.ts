import { type Html, html } from "../../../browser/ui/html.ts";
import { merchantText } from "../../../browser/ui/merchant-text.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import type { Speech } from "../../kernel/languages/speech.ts";

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
  /** In the payer's language. */
  readonly paidAt: string;
};

/** The receipt of a payment, to save or print. */
export function receipt(
  { language: { page }, speech }: { readonly language: Catalogue; readonly speech: Speech },
  facts: Receipt,
): Html {
  const { words, money } = speech;
  return html`<dl class="receipt">
${row(page.receiptPaidTo, merchantText(facts.merchantName))}
${row(page.date, html`${facts.paidAt}`)}
${facts.surcharge > 0 && row(words.amount, html`${money(facts.amount)}`)}
${facts.surcharge > 0 && row(words.surcharge, html`${money(facts.surcharge)}`)}
${row(words.total, html`${money(facts.amount + facts.surcharge)} ${facts.currencyCode}`)}
${facts.charged < facts.amount + facts.surcharge && row(page.charged, html`${money(facts.charged)} ${facts.currencyCode}`)}
${facts.card !== undefined && row(words.card, html`${facts.card}`)}
${facts.reference !== undefined && row(page.reference, merchantText(facts.reference))}
${row(page.transaction, html`<span class="receipt-id">${facts.transactionId}</span>`)}
</dl>`;
}

function row(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
