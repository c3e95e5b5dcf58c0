import { type Html, html } from "./html.ts";
import { merchantText } from "./merchant-text.ts";

/** Whether the merchant stores the card: only if the payer ticks a box, or always, as the page then says. */
export type StoreCard = "never" | "asked" | "always";

/** The payer decides. Never ticked beforehand, and not needed to pay. */
export function consentField(merchantName: string): Html {
  return html`<div class="field field-consent">
<label class="consent"><input id="consent" name="consent" type="checkbox" value="yes" aria-describedby="consent-hint"><span class="tick" aria-hidden="true"></span><span>Save this card for future payments</span></label>
<p class="consent-hint" id="consent-hint">${merchantText(merchantName)} keeps your card for payments that you agree to.</p>
</div>`;
}

/** For a card that is only saved: pressing the button is the consent. */
export function savingNote(merchantName: string): Html {
  return html`<p class="storing" id="storing">By saving this card, you let ${merchantText(merchantName)} store it and charge it for payments that you agree to. You are not charged now.</p>`;
}

/** For payments that recur: paying is the consent, so this stands beside the button. */
export function storingNote(merchantName: string): Html {
  return html`<p class="storing" id="storing">By paying, you let ${merchantText(merchantName)} store this card and charge it for the recurring payments that you agreed to.</p>`;
}
