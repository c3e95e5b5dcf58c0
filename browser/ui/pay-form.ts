import type { Wallet } from "../../src/kernel/wallets.ts";
import { cardFields } from "./card-fields.ts";
import { consentField, type StoreCard, savingNote, storingNote } from "./consent-field.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type Html, html } from "./html.ts";
import { ALERT, PADLOCK, SPINNER } from "./icons.ts";
import { merchantText } from "./merchant-text.ts";
import { currencyText, moneyText } from "./money-text.ts";
import { priceRows, type Surcharge } from "./price-rows.ts";
import { type SavedCards, savedCardsField } from "./saved-cards.ts";
import { walletNames } from "./wallet-names.ts";

export type PayFormModel = {
  readonly merchantName: string;
  readonly mode: "sandbox" | "live";
  /** 0: the card is saved without a charge. */
  readonly amount: number;
  readonly currencyCode: string;
  /** What the payment is for. Absent where the page shows it beside the form. */
  readonly description?: string;
  /** The form accepts a card; if false, wallets only. */
  readonly card: boolean;
  /** Wallets that the script may offer, if the browser supports them. */
  readonly wallets: readonly Wallet[];
  /** A surcharge may apply, depending on the card. */
  readonly surcharging: boolean;
  /** Known only once there is a card number. */
  readonly surcharge?: Surcharge;
  readonly storeCard: StoreCard;
  readonly saved: SavedCards;
  readonly name?: string;
  /** Where the form is posted without scripts, and with which hidden fields. */
  readonly post?: { readonly action: string; readonly hidden: Readonly<Record<string, string>> };
  readonly problems?: FieldProblems;
  /** A problem that belongs to no field. */
  readonly notice?: string;
};

/** The form as markup. It accepts a card without scripts, by form post; scripts add formatting and wallets. */
export function payForm(model: PayFormModel): string {
  const { post, card, wallets } = model;
  const cardOnly = wallets.length === 0 && card;
  return html`<form class="card-form" ${post !== undefined && html`method="post" action="${post.action}"`} autocomplete="on">
<h1 class="visually-hidden">${heading(model, cardOnly)}</h1>
${model.description !== undefined && html`<p class="description">${merchantText(model.description)}</p>`}
${post !== undefined && Object.keys(post.hidden).map((name) => hiddenField(name, post.hidden[name] ?? ""))}
<div class="notice" id="notice" role="alert" tabindex="-1"${model.notice === undefined && html` hidden`}>${ALERT}<span>${model.notice}</span></div>
<fieldset class="fields">
<legend class="visually-hidden">${cardOnly ? "Card details" : "Payment"}</legend>
${cardOnly ? html`${cardPart(model)}${payPart(model, consent(model))}` : mixed(model)}
</fieldset>
${footer(model)}
</form>`.html;
}

function heading({ amount, merchantName }: PayFormModel, cardOnly: boolean): Html {
  if (amount === 0) return html`Save your card with ${merchantText(merchantName)}`;
  return html`Pay ${merchantText(merchantName)}${cardOnly && " by card"}`;
}

/** With wallets consent comes first, since it applies to every payment method. */
function mixed(model: PayFormModel): Html {
  if (model.card) {
    return html`${consent(model)}
<div class="wallets" id="wallets" hidden>${WALLET_PLACE}<p class="or"><span>or pay by card</span></p></div>
<div role="group" aria-label="Card details">${cardPart(model)}</div>
${payPart(model)}`;
  }
  return html`<div class="wallets" id="wallets" hidden>
<p class="due"><span>Amount to pay</span><strong>${moneyText(model.amount)}</strong></p>
${consent(model)}${WALLET_PLACE}
<div class="price">${priceRows(model.amount, undefined, model.surcharging)}</div>
</div>
<noscript><p>This payment is made with ${walletNames(model.wallets)}, which needs JavaScript. Please switch it on and load this page again. You have not been charged.</p></noscript>`;
}

/** Filled by the wallets' script, which only pages with a wallet load. */
const WALLET_PLACE = html`<div class="wallet-place"><div class="wallet-buttons" id="wallet-buttons"></div><p class="wallet-progress">${SPINNER}<span id="wallet-progress"></span></p></div>`;

function cardPart({ problems = {}, name, saved }: PayFormModel): Html {
  return html`${savedCardsField(saved)}${cardFields(problems, name, saved.cards.length > 0)}`;
}

function consent({ amount, storeCard, merchantName }: PayFormModel): Html {
  if (amount === 0) return savingNote(merchantName);
  if (storeCard === "asked") return consentField(merchantName);
  return storeCard === "always" ? storingNote(merchantName) : html``;
}

function payPart({ amount, surcharge, surcharging, storeCard }: PayFormModel, above = html``): Html {
  const describedBy = storeCard === "always" ? "currency storing" : "currency";
  return html`${storeCard === "asked" && above}<div class="price" id="price" aria-live="polite">${priceRows(amount, surcharge, surcharging)}</div>
${storeCard === "always" && above}<button class="pay" type="submit" aria-describedby="${describedBy}"><span class="pay-words">${payWords(amount, surcharge)}</span><span class="pay-progress">${SPINNER}<span id="progress"></span></span></button>`;
}

function payWords(amount: number, surcharge: Surcharge | undefined): Html {
  if (amount === 0) return html`Save card`;
  return html`Pay <span id="total">${moneyText(amount + (surcharge?.amount ?? 0))}</span>`;
}

function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function footer({ mode, currencyCode }: PayFormModel): Html {
  return html`<p class="footer"><span class="secured">${PADLOCK}Secured by Tidegate</span>${mode === "sandbox" && html`<span class="sandbox">Sandbox</span>`}<span class="currency" id="currency"><span aria-hidden="true">${currencyCode}</span><span class="visually-hidden">Amounts are in ${currencyText(currencyCode)}.</span></span></p>`;
}
