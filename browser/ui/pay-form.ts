import type { Speech } from "../../src/kernel/languages/speech.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import type { Currency } from "../../src/kernel/money.ts";
import type { Wallet } from "../../src/kernel/wallets.ts";
import { cardFields } from "./card-fields.ts";
import { consentField, type StoreCard, savingNote, storingNote } from "./consent-field.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type Html, html, phrase } from "./html.ts";
import { ALERT, PADLOCK, SPINNER } from "./icons.ts";
import { merchantText } from "./merchant-text.ts";
import { priceRows, type Surcharge } from "./price-rows.ts";
import { type SavedCards, savedCardsField } from "./saved-cards.ts";

export type PayFormModel = {
  readonly speech: Speech;
  readonly merchantName: string;
  readonly mode: Mode;
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
  /** What the payer has entered before. */
  readonly name?: string;
  readonly expiry?: string;
  readonly consent?: boolean;
  /** The gateway's block of address fields, where the payment asks for them. */
  readonly address?: Html | undefined;
  /** Where the form is posted without scripts, with which hidden fields, and what it says if only a script can pay. */
  readonly post?: {
    readonly action: string;
    readonly hidden: Readonly<Record<string, string>>;
    readonly needsScript: string;
  };
  readonly problems?: FieldProblems;
  /** A problem that belongs to no field. */
  readonly notice?: string;
};

/** The form as markup. It accepts a card without scripts, by form post; scripts add formatting and wallets. */
export function payForm(model: PayFormModel): string {
  const { post, card, wallets, speech } = model;
  const cardOnly = wallets.length === 0 && card;
  return html`<form class="card-form" ${post !== undefined && html`method="post" action="${post.action}"`} autocomplete="on">
<h1 class="visually-hidden">${heading(model, cardOnly)}</h1>
${model.description !== undefined && html`<p class="description">${merchantText(model.description)}</p>`}
${post !== undefined && Object.keys(post.hidden).map((name) => hiddenField(name, post.hidden[name] ?? ""))}
<div class="notice" id="notice" role="alert" tabindex="-1"${model.notice === undefined && html` hidden`}>${ALERT}<span>${model.notice}</span></div>
<fieldset class="fields">
<legend class="visually-hidden">${cardOnly ? speech.words.cardDetails : speech.words.payment}</legend>
${cardOnly ? html`${cardPart(model)}${payPart(model, consent(model))}` : mixed(model)}
</fieldset>
${footer(model)}
</form>`.html;
}

function heading({ speech: { words }, amount, merchantName }: PayFormModel, cardOnly: boolean): Html {
  const paying = cardOnly ? words.payMerchantByCard : words.payMerchant;
  return phrase(amount === 0 ? words.saveCardWith : paying, { merchant: merchantText(merchantName) });
}

/** With wallets consent comes first, since it applies to every payment method. */
function mixed(model: PayFormModel): Html {
  const { words, money } = model.speech;
  if (model.card) {
    return html`${consent(model)}
<div class="wallets" id="wallets" hidden>${WALLET_PLACE}<p class="or"><span>${words.orByCard}</span></p></div>
<div role="group" aria-label="${words.cardDetails}">${cardPart(model)}</div>
${payPart(model)}`;
  }
  return html`<div class="wallets" id="wallets" hidden>
<p class="due"><span>${words.amountToPay}</span><strong class="order-total">${money(model.amount)}</strong></p>
${consent(model)}${WALLET_PLACE}
${model.surcharging && html`<p class="price-note">${words.maySurcharge}</p>`}
</div>
${model.post !== undefined && html`<noscript><p>${model.post.needsScript}</p></noscript>`}`;
}

/** Filled by the wallets' script, which only pages with a wallet load. */
const WALLET_PLACE = html`<div class="wallet-place"><div class="wallet-buttons" id="wallet-buttons"></div><p class="wallet-progress">${SPINNER}<span id="wallet-progress"></span></p></div>`;

function cardPart(model: PayFormModel): Html {
  const { words } = model.speech;
  return html`${savedCardsField(words, model.saved)}${cardFields(words, model)}${model.address}`;
}

function consent({ speech: { words }, amount, storeCard, merchantName, consent }: PayFormModel): Html {
  if (amount === 0) return savingNote(words, merchantName);
  if (storeCard === "asked") return consentField(words, merchantName, consent);
  return storeCard === "always" ? storingNote(words, merchantName) : html``;
}

function payPart(model: PayFormModel, above = html``): Html {
  const { speech, amount, surcharge, surcharging, storeCard } = model;
  const describedBy = storeCard === "always" ? "currency storing" : "currency";
  return html`${storeCard === "asked" && above}<div class="price" id="price" aria-live="polite">${priceRows(speech, amount, surcharge, surcharging)}</div>
${storeCard === "always" && above}<button class="pay" type="submit" aria-describedby="${describedBy}"><span class="pay-words">${payWords(model)}</span><span class="pay-progress">${SPINNER}<span id="progress"></span></span></button>`;
}

function payWords({ speech: { words, money }, amount, surcharge }: PayFormModel): Html {
  if (amount === 0) return html`${words.saveCard}`;
  const total = html`<span id="total">${money(amount + (surcharge?.amount ?? 0))}</span>`;
  return phrase(words.payTotal, { total });
}

function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function footer({ speech: { words }, mode, currencyCode }: PayFormModel): Html {
  const currency = html`${words[currencyCode as Currency]}`;
  const amountsIn = phrase(words.amountsIn, { currency, code: html`${currencyCode}` });
  return html`<p class="footer"><span class="secured">${PADLOCK}${words.secured}</span>${mode === "sandbox" && html`<span class="sandbox">${words.sandbox}</span>`}<span class="currency" id="currency"><span aria-hidden="true">${currencyCode}</span><span class="visually-hidden">${amountsIn}</span></span></p>`;
}
