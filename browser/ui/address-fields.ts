import { controlField, type FieldControl } from "./field-control.ts";
import type { FieldName } from "./field-problems.ts";

/** The fields of the gateway's address block, if the form has one. Each says its problem in its own markup. */
export function addressFields(form: HTMLFormElement): readonly FieldControl[] {
  return Array.from(form.querySelectorAll<HTMLInputElement>("[data-problem]")).map((input) => {
    const problem = input.getAttribute("data-problem") ?? "";
    const control = controlField(form, {
      name: input.name as FieldName,
      rule: () => (input.required && input.value.trim() === "" ? problem : undefined),
    });
    return { ...control, show: (refused) => control.show(refused && problem) };
  });
}
