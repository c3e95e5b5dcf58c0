import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { cardField } from "./card-field.ts";
import { MAX_NAME_LENGTH } from "./cardholder-name.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type Html, html } from "./html.ts";
import type { SavedCards } from "./saved-cards.ts";
import { codeMark, plainMark, schemeMark } from "./scheme-marks.ts";
import { securityCodeHint } from "./security-code.ts";

type CardFields = {
  readonly problems?: FieldProblems;
  readonly name?: string;
  readonly expiry?: string;
  readonly saved: SavedCards;
};

export function cardFields(words: CheckoutWords, { problems = {}, name, expiry, saved }: CardFields): Html {
  // Without scripts a browser would insist on these fields also for a saved card.
  const required = saved.cards.length > 0 ? html`aria-required="true"` : html`required`;
  return html`${cardField({
    name: "number",
    label: words.cardNumber,
    attributes: html`dir="ltr" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="30" ${required}`,
    // Scripts fill it.
    hint: html``,
    aside: html`<span class="marks" id="marks">${defaultMarks()}</span>`,
    problem: problems.number,
  })}
<div class="pair">
${cardField({
  name: "expiry",
  label: words.expiryDate,
  attributes: html`dir="ltr" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="16" value="${expiry}" ${required}`,
  hint: html`${words.expiryHint}`,
  problem: problems.expiry,
})}
${cardField({
  name: "securityCode",
  label: words.securityCode,
  attributes: html`dir="ltr" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="16" required`,
  hint: html`${securityCodeHint(words, undefined)}`,
  aside: html`<span class="marks" id="code-mark">${codeMark(false)}</span>`,
  problem: problems.securityCode,
})}
</div>
${cardField({
  name: "name",
  label: words.nameOnCard,
  attributes: html`dir="auto" autocomplete="cc-name" autocapitalize="words" maxlength="${MAX_NAME_LENGTH}" value="${name}"`,
  problem: problems.name,
  optional: words.optional,
})}`;
}

/** Common schemes, shown until the card's scheme is known. Decoration only. */
export function defaultMarks(): Html {
  return html`<span class="some-marks" aria-hidden="true">${schemeMark("visa")}${schemeMark("mastercard")}${schemeMark("amex")}</span>${plainMark()}`;
}
