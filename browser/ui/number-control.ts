import { type Scheme, schemeOf } from "../../src/platform/cards/card-scheme.ts";
import { restingMarks } from "./card-fields.ts";
import { digitsOf, groupNumber } from "./card-number.ts";
import { editDigits } from "./edit-digits.ts";
import { findElement } from "./find-element.ts";
import { formatInput } from "./format-input.ts";
import { codeMark, schemeMark } from "./scheme-marks.ts";
import { LONGEST_CODE, securityCodeHint } from "./security-code.ts";

/** The number groups itself, shows its scheme, and tells the security code how long it is. */
export function controlNumber(form: HTMLFormElement, input: HTMLInputElement): void {
  const marks = findElement<HTMLElement>(form, "#marks");
  const code = findElement<HTMLInputElement>(form, "#securityCode");
  const codeMarkPlace = findElement<HTMLElement>(form, "#code-mark");
  const codeHint = findElement<HTMLElement>(form, "#securityCode-hint");
  let shown: Scheme["type"] | undefined;

  formatInput(input, (edit) => editDigits(edit, groupNumber));
  input.addEventListener("input", showScheme);
  input.addEventListener("change", showScheme);

  function showScheme(): void {
    const scheme = schemeOf(digitsOf(input.value));
    if (scheme?.type === shown) return;
    shown = scheme?.type;
    marks.innerHTML = (scheme === undefined ? restingMarks() : schemeMark(scheme.type)).html;
    code.maxLength = scheme?.codeLength ?? LONGEST_CODE;
    codeMarkPlace.innerHTML = codeMark(scheme?.codeLength === LONGEST_CODE).html;
    codeHint.textContent = securityCodeHint(scheme);
  }
}
