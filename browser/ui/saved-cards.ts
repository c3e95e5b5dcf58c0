import { cardTypeNamed } from "../../src/kernel/card-type.ts";
import { cardLabel } from "../../src/kernel/languages/card-label.ts";
import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import { type Html, html } from "./html.ts";
import { schemeMark } from "./scheme-marks.ts";

/** A card that the merchant has stored for the payer. */
export type SavedCard = {
  readonly id: string;
  readonly cardType: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
};

export type SavedCards = {
  readonly cards: readonly SavedCard[];
  readonly allowRemoval: boolean;
  /** The id of the chosen card; empty for another card. Default: the first. */
  readonly chosen?: string;
};

/** The form that removal buttons belong to: none of them may be what the Enter key presses in the card form. */
export const REMOVAL_FORM = "removal";

/** A choice of saved cards and another one, whose fields follow. */
export function savedCardsField(
  words: CheckoutWords,
  { cards, allowRemoval, chosen = cards[0]?.id }: SavedCards,
): Html {
  if (cards.length === 0) return html``;
  return html`<div class="field saved" role="radiogroup" aria-label="${words.card}">${cards.map((card) => {
    const { id, cardType, expiryMonth, expiryYear } = card;
    const expiry = `${String(expiryMonth).padStart(2, "0")}/${expiryYear % 100}`;
    return choice(
      id,
      id === chosen,
      html`<span class="saved-mark" aria-hidden="true">${schemeMark(cardTypeNamed(cardType))}</span><span>${cardLabel(words, card)}<small> ${fill(words.expires, { date: expiry })}</small></span>`,
      allowRemoval &&
        html`<button class="quiet" type="submit" form="${REMOVAL_FORM}" name="id" value="${id}"><span>${words.remove}</span><span class="visually-hidden"> ${cardLabel(words, card)}</span></button>`,
    );
  })}${choice("", chosen === "", html`<span>${words.useAnotherCard}</span>`, false)}</div>`;
}

/** Browsers don't restore a choice that says `off`: the fields below would not follow it. */
function choice(value: string, isChosen: boolean, words: Html, aside: Html | false): Html {
  return html`<div class="saved-card"><label class="consent"><input name="savedCard" type="radio" value="${value}" autocomplete="off"${isChosen && html` checked`}><span class="tick" aria-hidden="true"></span>${words}</label>${aside}</div>`;
}
