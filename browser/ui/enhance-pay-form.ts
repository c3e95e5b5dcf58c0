import { fill, type Speech } from "../../src/kernel/languages/speech.ts";
import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { type Scheme, schemeNamed, schemeOf } from "../../src/platform/cards/card-scheme.ts";
import { addressFields } from "./address-fields.ts";
import { afterClick } from "./after-click.ts";
import { digitsOf, isAcceptable, isComplete, isFull, numberProblem } from "./card-number.ts";
import { nameProblem } from "./cardholder-name.ts";
import type { StoreCard } from "./consent-field.ts";
import { controlForm, type PayFormControl } from "./control-form.ts";
import { chosenCard, controlSavedCards } from "./control-saved-cards.ts";
import { editDigits } from "./edit-digits.ts";
import { editExpiry } from "./edit-expiry.ts";
import { expiryProblem, isExpiryDone, readExpiry } from "./expiry.ts";
import { controlField, type FieldControl } from "./field-control.ts";
import { formatInput } from "./format-input.ts";
import { moveOn } from "./move-on.ts";
import { controlNumber } from "./number-control.ts";
import { createPriceView } from "./price-view.ts";
import type { SavedCard } from "./saved-cards.ts";
import { codeLength, securityCodeProblem } from "./security-code.ts";

/** The card, typed or saved, and the total that the payer saw. */
export type CardPayInput = {
  readonly method: "card";
  readonly savedCard?: { readonly id: string; readonly securityCode: string };
  readonly card?: {
    readonly number: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
    readonly securityCode: string;
    readonly name?: string;
  };
  readonly total: number;
  readonly consent: boolean;
  /** Where the gateway's block asks for it. */
  readonly address?: Readonly<Record<string, string>>;
};

export type PayFormOptions = {
  readonly speech: Speech;
  readonly amount: number;
  readonly rates: SurchargeRates | undefined;
  readonly storeCard: StoreCard;
  readonly savedCards: readonly SavedCard[];
  readonly onRemove: (id: string) => Promise<boolean>;
  readonly announce: (words: string) => void;
  readonly onPay: (input: CardPayInput) => void;
  readonly onSurcharge: (surcharge: number) => void;
  readonly onPrice?: (surcharge: number) => void;
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
  const { words, money } = options.speech;
  const number = controlField(form, {
    name: "number",
    rule: ({ value }) => numberProblem(words, digitsOf(value)),
  });
  const expiry = controlField(form, { name: "expiry", rule: ({ value }) => expiryProblem(words, value) });
  const digits = (): string => digitsOf(number.input.value);
  const code = controlField(form, {
    name: "securityCode",
    rule: ({ value }) => securityCodeProblem(words, value, scheme()),
  });
  const name = controlField(form, { name: "name", rule: ({ value }) => nameProblem(words, value.trim()) });
  // In the order of the page: the first invalid field gets the focus.
  const address = addressFields(form);
  const fields: readonly FieldControl[] = [number, expiry, code, name, ...address];
  const price = createPriceView(form, options);

  const showScheme = controlNumber(words, form, number.input, scheme);
  formatInput(expiry.input, editExpiry);
  formatInput(code.input, (edit) => editDigits(edit, (typed) => typed.slice(0, codeLength(scheme()))));
  moveOn(number.input, expiry.input, { isDone: () => isFull(digits()), hint: words.movesOn });
  moveOn(expiry.input, code.input, {
    isDone: () => isExpiryDone(words, expiry.input.value),
    hint: words.movesOn,
  });
  number.input.addEventListener("input", () => updatePrice(false));
  number.input.addEventListener("blur", () => afterClick(() => updatePrice(true)));
  controlSavedCards(form, {
    question: words.removeQuestion,
    saved,
    onChoice: () => {
      code.clear();
      showScheme();
      updatePrice(true);
    },
    onRemove: options.onRemove,
    announce: options.announce,
    onNotRemoved: () => showNotice(words.notRemoved),
  });

  function saved(): SavedCard | undefined {
    return chosenCard(form, options.savedCards);
  }

  function scheme(): Scheme | undefined {
    const card = saved();
    return card === undefined ? schemeOf(digits()) : schemeNamed(card.cardType);
  }

  /** A complete number has a price, and any valid one once the payer has left the field. */
  function updatePrice(hasLeftField: boolean): void {
    const typed = digits();
    const isKnown = isComplete(typed) || (hasLeftField && isAcceptable(typed));
    price.update(saved()?.id ?? (isKnown ? typed : undefined), scheme()?.type);
  }

  form.addEventListener("submit", () => {
    if (base.isBusy()) return;
    showNotice(undefined);
    const wrong = (saved() === undefined ? fields : [code, ...address]).filter((field) => !field.check());
    if (wrong[0] !== undefined) wrong[0].input.focus();
    else if (isTotalCurrent()) options.onPay(readInput());
  });

  /** If the total changed, shows the new one; the payer has to press Pay again. */
  function isTotalCurrent(): boolean {
    const seen = price.total();
    updatePrice(true);
    if (price.total() === seen) return true;
    showNotice(fill(words.totalIsNow, { total: money(price.total()), button: words.pay }));
    return false;
  }

  function readAddress(): Pick<CardPayInput, "address"> {
    const typed: { [field: string]: string } = {};
    for (const { name, input } of address) typed[name] = input.value;
    return address[0] ? { address: typed } : {};
  }

  function readInput(): CardPayInput {
    const securityCode = code.input.value;
    const rest = { total: price.total(), consent: base.consents(), ...readAddress() };
    const card = saved();
    if (card !== undefined) return { method: "card", savedCard: { id: card.id, securityCode }, ...rest };
    const { month, year } = readExpiry(expiry.input.value) ?? { month: 0, year: 0 };
    const typedName = name.input.value.trim();
    return {
      method: "card",
      card: {
        number: digits(),
        expiryMonth: month,
        expiryYear: year,
        securityCode,
        ...(typedName === "" ? {} : { name: typedName }),
      },
      ...rest,
    };
  }

  return {
    ...base,
    showProblems: (problems) => {
      for (const field of fields) field.show(problems[field.name]);
      if (document.hasFocus()) fields.find((field) => problems[field.name] !== undefined)?.input.focus();
    },
    reopen: () => {
      base.reopen();
      number.clear();
      code.clear();
    },
    correctTotal: (total) => price.correct(total, saved()?.id ?? digits()),
    surcharge: () => price.total() - options.amount,
  };
}
