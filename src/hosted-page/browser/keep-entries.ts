import { digitsOf } from "../../../browser/ui/card-number.ts";

/** Never card number and security code. */
const KEPT = "input:not([type=hidden]):not(#number):not(#securityCode),select";

type Field = HTMLInputElement | HTMLSelectElement;
type Entry = readonly [name: string, value: string];

/** Keeps in this tab what the payer entered, for the page of the next attempt. Without storage the payer enters it again. */
export function keepEntries(page: Element): void {
  const entries = fieldsOf(page)
    .filter((field) => (isChoice(field) ? field.checked : !hasCardNumber(field)))
    .map(({ name, value }): Entry => [name, value]);
  try {
    sessionStorage.setItem(location.pathname, JSON.stringify(entries));
  } catch (_refused) {}
}

/** Restores them, once, in a form that is not enhanced yet. A page without one forgets them. */
export function restoreEntries(page: Element): void {
  try {
    const entries = JSON.parse(sessionStorage.getItem(location.pathname) ?? "[]") as readonly Entry[];
    sessionStorage.removeItem(location.pathname);
    for (const [name, value] of entries) {
      for (const field of fieldsOf(page)) {
        if (field.name !== name) continue;
        if (!isChoice(field)) field.value = value;
        else if (field.value === value) field.checked = true;
      }
    }
  } catch (_refused) {}
}

function fieldsOf(page: Element): readonly Field[] {
  return Array.from(page.querySelectorAll<Field>(KEPT));
}

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

/** Typed into the wrong field. */
const hasCardNumber = ({ value }: Field): boolean => digitsOf(value).length > 11;
