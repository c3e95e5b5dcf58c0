import { digitsOf } from "../../../browser/ui/card-number.ts";

/** Never card number and security code. */
const KEPT = "input:not([type=hidden]):not(#number):not(#securityCode),select";

/** Keeps in this tab what the payer entered, for the page of the next attempt. Without storage the payer enters it again. */
export function keepEntries(page: Element): void {
  const entries: Record<string, string> = {};
  for (const field of fieldsOf(page)) {
    // A card number may have been typed into the wrong field.
    if (isChoice(field) ? field.checked : digitsOf(field.value).length < 12)
      entries[field.name] = field.value;
  }
  try {
    sessionStorage.setItem(location.pathname, JSON.stringify(entries));
  } catch (_refused) {}
}

/** Restores them, once, in a form that is not enhanced yet. A page without one forgets them. */
export function restoreEntries(page: Element): void {
  try {
    const entries = JSON.parse(sessionStorage.getItem(location.pathname) ?? "{}") as Record<string, string>;
    sessionStorage.removeItem(location.pathname);
    for (const field of fieldsOf(page)) {
      const value = entries[field.name];
      if (!isChoice(field)) field.value = value ?? field.value;
      else if (field.value === value) field.checked = true;
    }
  } catch (_refused) {}
}

function fieldsOf(page: Element): readonly HTMLInputElement[] {
  return Array.from(page.querySelectorAll<HTMLInputElement>(KEPT));
}

function isChoice({ type }: HTMLInputElement): boolean {
  return type === "checkbox" || type === "radio";
}
