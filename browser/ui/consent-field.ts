import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { type Html, html, phrase } from "./html.ts";
import { merchantText } from "./merchant-text.ts";

/** Whether the merchant stores the card: only if the payer ticks a box, or always, as the page then says. */
export type StoreCard = "never" | "asked" | "always";

/** The payer decides. Never ticked before the payer has done so, and not needed to pay. */
export function consentField(words: CheckoutWords, merchantName: string, isTicked = false): Html {
  return html`<div class="field field-consent">
<label class="consent"><input id="consent" name="consent" type="checkbox" value="yes" aria-describedby="consent-hint"${isTicked && html` checked`}><span class="tick" aria-hidden="true"></span><span>${words.consent}</span></label>
<p class="consent-hint" id="consent-hint">${phrase(words.consentHint, { merchant: merchantText(merchantName) })}</p>
</div>`;
}

/** For a card that is only saved: pressing the button is the consent. */
export function savingNote(words: CheckoutWords, merchantName: string): Html {
  return html`<p class="storing" id="storing">${phrase(words.savingNote, { merchant: merchantText(merchantName) })}</p>`;
}

/** For payments that recur: paying is the consent, so this stands beside the button. */
export function storingNote(words: CheckoutWords, merchantName: string): Html {
  return html`<p class="storing" id="storing">${phrase(words.storingNote, { merchant: merchantText(merchantName) })}</p>`;
}
