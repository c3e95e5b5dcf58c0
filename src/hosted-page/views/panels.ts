import { type Html, html, phrase } from "../../../browser/ui/html.ts";
import { merchantText } from "../../../browser/ui/merchant-text.ts";
import { type StatusPanel, statusPanel } from "../../../browser/ui/status-panel.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import type { Speech } from "../../kernel/languages/speech.ts";
import { type Receipt, receipt } from "./receipt.ts";

/** The link back to the merchant, at the merchant's address. */
export type WayBack = { readonly url: string; readonly merchantName: string };

export type PanelParts = {
  readonly receipt?: Receipt;
  readonly wayBack?: WayBack | undefined;
  /** A form with one button, which needs no script. */
  readonly button?: {
    readonly action: string;
    readonly label: string;
    readonly hidden: Readonly<Record<string, string>>;
  };
  /** The address of the form that the payer left. */
  readonly keepAt?: string;
  /** The address to check the status again. */
  readonly refreshAt?: string;
};

/** How the page speaks to its payer. */
export type PayersWords = { readonly language: Catalogue; readonly speech: Speech };

/** The status of a payment, with the possible next steps. */
export function hostedPanel(payers: PayersWords, panel: StatusPanel, parts: PanelParts): Html {
  const { page } = payers.language;
  return html`${{ html: statusPanel(panel) }}
${parts.receipt !== undefined && receipt(payers, parts.receipt)}
${parts.receipt !== undefined && html`<p class="receipt-print"><button class="quiet" type="button" id="print" hidden>${page.printReceipt}</button></p>`}
${parts.button !== undefined && oneButton(parts.button)}
${parts.keepAt !== undefined && html`<p class="ways"><a class="quiet quiet-link" href="${parts.keepAt}">${page.keepIt}</a></p>`}
${parts.refreshAt !== undefined && html`<p class="ways"><a class="quiet quiet-link" href="${parts.refreshAt}">${payers.speech.words.checkAgain}</a></p>`}
${parts.wayBack !== undefined && wayBack(payers, parts.wayBack)}`;
}

function oneButton({ action, label, hidden }: NonNullable<PanelParts["button"]>): Html {
  return html`<form class="ways" method="post" action="${action}">${Object.keys(hidden).map((name) => html`<input type="hidden" name="${name}" value="${hidden[name]}">`)}<button class="quiet" type="submit">${label}</button></form>`;
}

function wayBack({ language }: PayersWords, { url, merchantName }: WayBack): Html {
  const merchant = merchantText(merchantName);
  return html`<p class="ways"><a class="way-back" href="${url}" rel="noreferrer">${phrase(language.page.returnTo, { merchant })}</a></p>`;
}
