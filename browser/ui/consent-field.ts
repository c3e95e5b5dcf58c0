import { problemPlace } from "./card-field.ts";
import { type Html, html } from "./html.ts";
import { merchantText } from "./merchant-text.ts";

/** For a merchant that stores the card. The box is required and never ticked beforehand. */
export function consentField(merchantName: string, problem: string | undefined): Html {
  return html`<div class="field field-consent${problem !== undefined && " field-wrong"}">
<label class="consent"><input id="consent" name="consent" type="checkbox" value="yes" required aria-describedby="consent-hint consent-problem" aria-invalid="${problem === undefined ? "false" : "true"}"><span class="tick" aria-hidden="true"></span><span>Save this card for future payments</span></label>
<p class="consent-hint" id="consent-hint">Required to pay: ${merchantText(merchantName)} keeps your card for payments that you agree to.</p>
${problemPlace("consent", problem)}
</div>`;
}
