import { cardField } from "./card-field.ts";
import { MAX_NAME_LENGTH } from "./cardholder-name.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type Html, html } from "./html.ts";
import { codeMark, plainMark, schemeMark } from "./scheme-marks.ts";
import { MAX_CODE_LENGTH, securityCodeHint } from "./security-code.ts";

export function cardFields(problems: FieldProblems, name: string | undefined, hasSavedCards: boolean): Html {
  // Without scripts a browser would insist on these fields also for a saved card.
  const required = hasSavedCards ? html`aria-required="true"` : html`required`;
  return html`${cardField({
    name: "number",
    label: "Card number",
    attributes: html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="30" ${required}`,
    aside: html`<span class="marks" id="marks">${defaultMarks()}</span>`,
    problem: problems.number,
  })}
<div class="pair">
${cardField({
  name: "expiry",
  label: "Expiry date",
  attributes: html`inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="9" ${required}`,
  hint: html`Month and year, two digits each`,
  problem: problems.expiry,
})}
${cardField({
  name: "securityCode",
  label: "Security code",
  attributes: html`inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="${MAX_CODE_LENGTH}" required`,
  hint: html`${securityCodeHint(undefined)}`,
  aside: html`<span class="marks" id="code-mark">${codeMark(false)}</span>`,
  problem: problems.securityCode,
})}
</div>
${cardField({
  name: "name",
  label: "Name on card",
  attributes: html`autocomplete="cc-name" autocapitalize="words" maxlength="${MAX_NAME_LENGTH}" value="${name}"`,
  problem: problems.name,
  optional: true,
})}`;
}

/** Common schemes, shown until the card's scheme is known. Decoration only. */
export function defaultMarks(): Html {
  return html`<span class="some-marks" aria-hidden="true">${schemeMark("visa")}${schemeMark("mastercard")}${schemeMark("amex")}</span>${plainMark()}`;
}
