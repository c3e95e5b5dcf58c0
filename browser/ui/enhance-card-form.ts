import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { schemeOf } from "../../src/platform/cards/card-scheme.ts";
import { afterPress } from "./after-press.ts";
import { digitsOf, numberProblem } from "./card-number.ts";
import { nameProblem } from "./cardholder-name.ts";
import { editDigits } from "./edit-digits.ts";
import { editExpiry } from "./edit-expiry.ts";
import { expiryProblem, readExpiry } from "./expiry.ts";
import { controlField, type FieldControl } from "./field-control.ts";
import { CONSENT_PROBLEM, type FieldProblems } from "./field-problems.ts";
import { findElement } from "./find-element.ts";
import { formatInput } from "./format-input.ts";
import { moneyText } from "./money-text.ts";
import { controlNumber } from "./number-control.ts";
import type { Surcharge } from "./price-rows.ts";
import { viewPrice } from "./price-view.ts";
import { securityCodeProblem } from "./security-code.ts";

/** What the payer wants: this card, for this total and no other. */
export type PayerOrder = {
  readonly card: {
    readonly number: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
    readonly securityCode: string;
    readonly name?: string;
  };
  readonly total: number;
  readonly consent: boolean;
};

export type CardFormOptions = {
  readonly amount: number;
  readonly rates: SurchargeRates | undefined;
  readonly storeCard: boolean;
  readonly onPay: (order: PayerOrder) => void;
  readonly onSurcharge: (surcharge: Surcharge) => void;
};

export type CardFormControl = {
  /** Nothing can be changed or sent while there are words for what is going on. */
  readonly setBusy: (words: string | undefined) => void;
  readonly showProblems: (problems: FieldProblems) => void;
  readonly showNotice: (words: string | undefined) => void;
  readonly correctTotal: (total: number) => void;
  /** Reads out what stands above the fields. */
  readonly focusNotice: () => void;
};

/** Gives the form of `cardForm` its manners. The markup works without; this makes it pleasant. */
export function enhanceCardForm(form: HTMLFormElement, options: CardFormOptions): CardFormControl {
  const number = controlField(form, { name: "number", rule: ({ value }) => numberProblem(digitsOf(value)) });
  const expiry = controlField(form, { name: "expiry", rule: ({ value }) => expiryProblem(value) });
  const digits = (): string => digitsOf(number.input.value);
  const code = controlField(form, {
    name: "securityCode",
    rule: ({ value }) => securityCodeProblem(value, schemeOf(digits())),
  });
  const name = controlField(form, { name: "name", rule: ({ value }) => nameProblem(value.trim()) });
  const consent = options.storeCard
    ? controlField(form, { name: "consent", rule: ({ checked }) => (checked ? undefined : CONSENT_PROBLEM) })
    : undefined;
  const fields: readonly FieldControl[] = [number, expiry, code, name, ...(consent ? [consent] : [])];
  const notice = findElement<HTMLElement>(form, "#notice");
  const fieldset = findElement<HTMLFieldSetElement>(form, "fieldset");
  const price = viewPrice(form, options);

  controlNumber(form, number.input);
  formatInput(expiry.input, editExpiry);
  formatInput(code.input, (edit) => editDigits(edit, (typed) => typed.slice(0, code.input.maxLength)));
  number.input.addEventListener("input", () => price.update(digits(), false));
  number.input.addEventListener("blur", () => afterPress(() => price.update(digits(), true)));

  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (fieldset.disabled) return;
    showNotice(undefined);
    const wrong = fields.filter((field) => !field.check());
    if (wrong[0] !== undefined) wrong[0].input.focus();
    else if (showsTheTruth()) options.onPay(order());
  });

  /** A total that the payer hasn't seen is shown first, and paid with the next press. */
  function showsTheTruth(): boolean {
    const seen = price.total();
    price.update(digits(), true);
    if (price.total() === seen) return true;
    showNotice(`The total is now ${moneyText(price.total())}. Press Pay again to accept it.`);
    return false;
  }

  function order(): PayerOrder {
    const { month, year } = readExpiry(expiry.input.value) ?? { month: 0, year: 0 };
    const typedName = name.input.value.trim();
    return {
      card: {
        number: digits(),
        expiryMonth: month,
        expiryYear: year,
        securityCode: code.input.value,
        ...(typedName === "" ? {} : { name: typedName }),
      },
      total: price.total(),
      consent: consent?.input.checked ?? false,
    };
  }

  function showNotice(words: string | undefined): void {
    findElement(notice, "span").textContent = words ?? "";
    notice.hidden = words === undefined;
    if (words !== undefined) notice.focus();
  }

  return {
    setBusy: (words) => {
      fieldset.disabled = words !== undefined;
      form.classList.toggle("busy", words !== undefined);
      findElement(form, "#progress").textContent = words ?? "";
    },
    showProblems: (problems) => {
      for (const field of fields) field.show(problems[field.name]);
      fields.find((field) => problems[field.name] !== undefined)?.input.focus();
    },
    showNotice,
    focusNotice: () => notice.focus(),
    correctTotal: (total) => price.correct(total, digits()),
  };
}
