import { afterClick } from "./after-click.ts";
import type { FieldName } from "./field-problems.ts";
import { getElement } from "./get-element.ts";

export type FieldControl = {
  readonly name: FieldName;
  readonly input: HTMLInputElement;
  /** Shows the problem beside the field, or hides it. */
  readonly show: (problem: string | undefined) => void;
  /** Checks the current value and shows the problem, if any. */
  readonly check: () => boolean;
  /** Empties the field, as if the payer had not been there. */
  readonly clear: () => void;
};

type FieldOptions = {
  readonly name: FieldName;
  readonly rule: (input: HTMLInputElement) => string | undefined;
};

/**
 * A problem appears when the payer leaves the field or submits, never while typing, and disappears once it is fixed.
 * Leaving a field without editing it shows no problem.
 */
export function controlField(form: HTMLFormElement, { name, rule }: FieldOptions): FieldControl {
  const input = getElement<HTMLInputElement>(form, `#${name}`);
  const place = getElement<HTMLElement>(form, `#${name}-problem`);
  const words = getElement<HTMLElement>(place, "span");
  const field = getElement<HTMLElement>(form, `.field-${name}`);
  let touched = false;
  let fromGateway = false;

  function show(problem: string | undefined): void {
    words.textContent = problem ?? "";
    place.hidden = problem === undefined;
    input.setAttribute("aria-invalid", problem === undefined ? "false" : "true");
    field.classList.toggle("field-wrong", problem !== undefined);
  }

  function check(): boolean {
    const problem = rule(input);
    fromGateway = false;
    show(problem);
    return problem === undefined;
  }

  function clearFixed(): void {
    touched = true;
    // The rule can't judge what the gateway refused, so any edit clears it.
    if (fromGateway) show(undefined);
    fromGateway = false;
    if (!place.hidden && rule(input) === undefined) show(undefined);
  }

  input.addEventListener("input", clearFixed);
  input.addEventListener("change", clearFixed);
  input.addEventListener("blur", () => {
    afterClick(() => {
      if (touched && !fromGateway && document.activeElement !== input) check();
    });
  });

  return {
    name,
    input,
    show: (problem) => {
      fromGateway = problem !== undefined;
      show(problem);
    },
    check,
    clear: () => {
      input.value = "";
      // Whatever follows the payer's typing follows this, too.
      input.dispatchEvent(new Event("input"));
      touched = false;
      show(undefined);
    },
  };
}
