import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import type { Scheme } from "../../src/platform/cards/card-scheme.ts";
import { defaultMarks } from "./card-fields.ts";
import { groupNumber } from "./card-number.ts";
import { editDigits } from "./edit-digits.ts";
import { formatInput } from "./format-input.ts";
import { getElement } from "./get-element.ts";
import { codeMark, schemeMark } from "./scheme-marks.ts";
import { MAX_CODE_LENGTH, securityCodeHint } from "./security-code.ts";

/** Groups the number, and shows the card's scheme and where its security code is. Returns what shows the scheme. */
export function controlNumber(
  words: CheckoutWords,
  form: HTMLFormElement,
  input: HTMLInputElement,
  schemeNow: () => Scheme | undefined,
): () => void {
  const marks = getElement<HTMLElement>(form, "#marks");
  const codeMarkPlace = getElement<HTMLElement>(form, "#code-mark");
  const codeHint = getElement<HTMLElement>(form, "#securityCode-hint");
  let shown: Scheme["type"] | undefined;

  formatInput(input, (edit) => editDigits(edit, groupNumber));
  input.addEventListener("input", showScheme);
  input.addEventListener("change", showScheme);

  function showScheme(): void {
    const scheme = schemeNow();
    if (scheme?.type === shown) return;
    shown = scheme?.type;
    marks.innerHTML = (scheme === undefined ? defaultMarks() : schemeMark(scheme.type)).html;
    codeMarkPlace.innerHTML = codeMark(scheme?.codeLength === MAX_CODE_LENGTH).html;
    codeHint.textContent = securityCodeHint(words, scheme);
  }
  return showScheme;
}
