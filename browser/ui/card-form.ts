import { cardField } from "./card-field.ts";
import { LONGEST_NAME } from "./cardholder-name.ts";
import { consentField } from "./consent-field.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type Html, html } from "./html.ts";
import { ALERT, PADLOCK, SPINNER } from "./icons.ts";
import { merchantText } from "./merchant-text.ts";
import { currencyText, moneyText } from "./money-text.ts";
import { priceRows, type Surcharge } from "./price-rows.ts";
import { codeMark, plainMark, schemeMark } from "./scheme-marks.ts";
import { LONGEST_CODE, securityCodeHint } from "./security-code.ts";

export type CardFormModel = {
  readonly merchantName: string;
  readonly mode: "sandbox" | "live";
  readonly amount: number;
  readonly currencyCode: string;
  /** A surcharge can come on top, depending on the card. */
  readonly surcharging: boolean;
  /** Known only once there is a card number. */
  readonly surcharge?: Surcharge;
  /** The card is kept, so consent is asked. */
  readonly storeCard: boolean;
  readonly name?: string;
  /** Where a page without scripts sends the form, and what it sends along. */
  readonly post?: { readonly action: string; readonly hidden: Readonly<Record<string, string>> };
  readonly problems?: FieldProblems;
  /** Something that is wrong with no field in particular. */
  readonly notice?: string;
};

/** The card form as markup. It takes a payment as it is, by form post; scripts only make it more pleasant. */
export function cardForm(model: CardFormModel): string {
  const { problems = {}, post, surcharge } = model;
  const total = model.amount + (surcharge?.amount ?? 0);
  return html`<form class="card-form" ${post !== undefined && html`method="post" action="${post.action}"`} autocomplete="on">
<h1 class="visually-hidden">Pay ${merchantText(model.merchantName)} by card</h1>
${post !== undefined && Object.keys(post.hidden).map((name) => hiddenField(name, post.hidden[name] ?? ""))}
<div class="notice" id="notice" role="alert" tabindex="-1"${model.notice === undefined && html` hidden`}>${ALERT}<span>${model.notice}</span></div>
<fieldset class="fields">
<legend class="visually-hidden">Card details</legend>
${cardField({
  name: "number",
  label: "Card number",
  attributes: html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="30" required`,
  aside: html`<span class="marks" id="marks">${restingMarks()}</span>`,
  problem: problems.number,
})}
<div class="pair">
${cardField({
  name: "expiry",
  label: "Expiry date",
  attributes: html`inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="9" required`,
  hint: html`Month and year, two digits each`,
  problem: problems.expiry,
})}
${cardField({
  name: "securityCode",
  label: "Security code",
  attributes: html`inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="${LONGEST_CODE}" required`,
  hint: html`${securityCodeHint(undefined)}`,
  aside: html`<span class="marks" id="code-mark">${codeMark(false)}</span>`,
  problem: problems.securityCode,
})}
</div>
${cardField({
  name: "name",
  label: "Name on card",
  attributes: html`autocomplete="cc-name" autocapitalize="words" maxlength="${LONGEST_NAME}" value="${model.name}"`,
  problem: problems.name,
  optional: true,
})}
${model.storeCard && consentField(model.merchantName, problems.consent)}
<div class="price" id="price" aria-live="polite">${priceRows(model.amount, surcharge, model.surcharging)}</div>
<button class="pay" type="submit" aria-describedby="currency"><span class="pay-words">Pay <span id="total">${moneyText(total)}</span></span><span class="pay-progress">${SPINNER}<span id="progress"></span></span></button>
</fieldset>
${footer(model)}
</form>`.html;
}

/** Shown while nothing is known of the card: schemes that most payers have. Decoration only. */
export function restingMarks(): Html {
  return html`<span class="some-marks" aria-hidden="true">${schemeMark("visa")}${schemeMark("mastercard")}${schemeMark("amex")}</span>${plainMark()}`;
}

function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function footer({ mode, currencyCode }: CardFormModel): Html {
  return html`<p class="footer"><span class="secured">${PADLOCK}Secured by Tidegate</span>${mode === "sandbox" && html`<span class="sandbox">Sandbox</span>`}<span class="currency" id="currency"><span aria-hidden="true">${currencyCode}</span><span class="visually-hidden">Amounts are in ${currencyText(currencyCode)}.</span></span></p>`;
}
