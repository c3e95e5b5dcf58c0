import { afterPress } from "./after-click.ts";
import type { FieldName } from "./field-problems.ts";
import { findElement } from "./find-element.ts";

export type FieldControl = {
  readonly name: FieldName;
  readonly input: HTMLInputElement;
  /** Says what is wrong beside the field, or takes it away. */
  readonly show: (problem: string | undefined) => void;
  /** Holds the rule against what is typed now, and shows the outcome. */
  readonly check: () => boolean;
};

type FieldOptions = {
  readonly name: FieldName;
  readonly rule: (input: HTMLInputElement) => string | undefined;
};

/**
 * A problem appears when the payer leaves the field or submits, never while typing; it goes as soon as it is mended.
 * A field that was never touched is not wrong yet when the payer only passes through.
 */
export function controlField(form: HTMLFormElement, { name, rule }: FieldOptions): FieldControl {
  const input = findElement<HTMLInputElement>(form, `#${name}`);
  const place = findElement<HTMLElement>(form, `#${name}-problem`);
  const words = findElement<HTMLElement>(place, "span");
  const field = findElement<HTMLElement>(form, `.field-${name}`);
  let touched = false;
  let theirs = false;

  function show(problem: string | undefined): void {
    words.textContent = problem ?? "";
    place.hidden = problem === undefined;
    input.setAttribute("aria-invalid", problem === undefined ? "false" : "true");
    field.classList.toggle("field-wrong", problem !== undefined);
  }

  function check(): boolean {
    const problem = rule(input);
    theirs = false;
    show(problem);
    return problem === undefined;
  }

  function mended(): void {
    touched = true;
    // What the gateway refused can't be judged here: any change deserves another try.
    if (theirs) show(undefined);
    theirs = false;
    if (!place.hidden && rule(input) === undefined) show(undefined);
  }

  input.addEventListener("input", mended);
  input.addEventListener("change", mended);
  input.addEventListener("blur", () => {
    afterPress(() => {
      if (touched && !theirs && document.activeElement !== input) check();
    });
  });

  return {
    name,
    input,
    show: (problem) => {
      theirs = problem !== undefined;
      show(problem);
    },
    check,
  };
}
