import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { schemeOf } from "../../src/platform/cards/card-scheme.ts";
import { afterClick } from "./after-click.ts";
import { digitsOf, numberProblem } from "./card-number.ts";
import { nameProblem } from "./cardholder-name.ts";
import type { StoreCard } from "./consent-field.ts";
import { controlForm, type PayFormControl } from "./control-form.ts";
import { editDigits } from "./edit-digits.ts";
import { editExpiry } from "./edit-expiry.ts";
import { expiryProblem, readExpiry } from "./expiry.ts";
import { controlField, type FieldControl } from "./field-control.ts";
import { formatInput } from "./format-input.ts";
import { moneyText } from "./money-text.ts";
import { controlNumber } from "./number-control.ts";
import type { Surcharge } from "./price-rows.ts";
import { createPriceView } from "./price-view.ts";
import { securityCodeProblem } from "./security-code.ts";

/** The card, and the total that the payer saw. */
export type CardPayInput = {
  readonly method: "card";
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

export type PayFormOptions = {
  readonly amount: number;
  readonly rates: SurchargeRates | undefined;
  readonly storeCard: StoreCard;
  readonly onPay: (input: CardPayInput) => void;
  readonly onSurcharge: (surcharge: Surcharge) => void;
};

/** Adds validation and formatting to the markup of `payForm`, which also works without scripts. */
export function enhancePayForm(form: HTMLFormElement, options: PayFormOptions): PayFormControl {
  return form.querySelector("#number") === null
    ? controlForm(form, options.storeCard)
    : enhanceCardForm(form, options);
}

function enhanceCardForm(form: HTMLFormElement, options: PayFormOptions): PayFormControl {
  const base = controlForm(form, options.storeCard);
  const { showNotice } = base;
  const number = controlField(form, { name: "number", rule: ({ value }) => numberProblem(digitsOf(value)) });
  const expiry = controlField(form, { name: "expiry", rule: ({ value }) => expiryProblem(value) });
  const digits = (): string => digitsOf(number.input.value);
  const code = controlField(form, {
    name: "securityCode",
    rule: ({ value }) => securityCodeProblem(value, schemeOf(digits())),
  });
  const name = controlField(form, { name: "name", rule: ({ value }) => nameProblem(value.trim()) });
  // In the order of the page: the first invalid field gets the focus.
  const fields: readonly FieldControl[] = [number, expiry, code, name];
  const price = createPriceView(form, options);

  controlNumber(form, number.input);
  formatInput(expiry.input, editExpiry);
  formatInput(code.input, (edit) => editDigits(edit, (digits) => digits.slice(0, code.input.maxLength)));
  number.input.addEventListener("input", () => price.update(digits(), false));
  number.input.addEventListener("blur", () => afterClick(() => price.update(digits(), true)));

  form.addEventListener("submit", () => {
    if (base.isBusy()) return;
    showNotice(undefined);
    const wrong = fields.filter((field) => !field.check());
    if (wrong[0] !== undefined) wrong[0].input.focus();
    else if (isTotalCurrent()) options.onPay(readInput());
  });

  /** If the total changed, shows the new one; the payer has to press Pay again. */
  function isTotalCurrent(): boolean {
    const seen = price.total();
    price.update(digits(), true);
    if (price.total() === seen) return true;
    showNotice(`The total is now ${moneyText(price.total())}. Press Pay again to accept it.`);
    return false;
  }

  function readInput(): CardPayInput {
    const { month, year } = readExpiry(expiry.input.value) ?? { month: 0, year: 0 };
    const typedName = name.input.value.trim();
    return {
      method: "card",
      card: {
        number: digits(),
        expiryMonth: month,
        expiryYear: year,
        securityCode: code.input.value,
        ...(typedName === "" ? {} : { name: typedName }),
      },
      total: price.total(),
      consent: base.consents(),
    };
  }

  return {
    ...base,
    showProblems: (problems) => {
      for (const field of fields) field.show(problems[field.name]);
      fields.find((field) => problems[field.name] !== undefined)?.input.focus();
    },
    reopen: () => {
      base.reopen();
      number.clear();
      code.clear();
    },
    correctTotal: (total) => price.correct(total, digits()),
  };
}
