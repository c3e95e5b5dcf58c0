import { controlField, type FieldControl } from "./field-control.ts";
import { CONSENT_PROBLEM, type FieldProblems } from "./field-problems.ts";
import { findElement } from "./find-element.ts";

/** The button that the payer used: the card form's or a wallet's. */
export type PayButton = "card" | "wallet";

export type PayFormControl = {
  /** With words, shows them as progress and disables the form; without, enables it. */
  readonly setBusy: (words: string | undefined, button: PayButton) => void;
  readonly showProblems: (problems: FieldProblems) => void;
  readonly showNotice: (words: string | undefined) => void;
  /** Shows the gateway's total for the entered card. */
  readonly correctTotal: (total: number) => void;
  /** True if no consent is needed or the payer gave it; otherwise shows a problem beside the box. */
  readonly hasConsent: () => boolean;
};

/** Controls what every form of `payForm` has, with card fields or without. */
export function controlForm(
  form: HTMLFormElement,
  storeCard: boolean,
): PayFormControl & { readonly consent: FieldControl | undefined; readonly isBusy: () => boolean } {
  const notice = findElement<HTMLElement>(form, "#notice");
  const fieldset = findElement<HTMLFieldSetElement>(form, "fieldset");
  const consent = storeCard
    ? controlField(form, { name: "consent", rule: ({ checked }) => (checked ? undefined : CONSENT_PROBLEM) })
    : undefined;

  form.noValidate = true;
  form.addEventListener("submit", (event) => event.preventDefault());

  function showNotice(words: string | undefined): void {
    findElement(notice, "span").textContent = words ?? "";
    notice.hidden = words === undefined;
    if (words !== undefined) notice.focus();
  }

  return {
    consent,
    isBusy: () => fieldset.disabled,
    setBusy: (words, button) => {
      fieldset.disabled = words !== undefined;
      form.classList.toggle("busy", words !== undefined);
      form.classList.toggle("busy-wallet", words !== undefined && button === "wallet");
      findElement(form, button === "card" ? "#progress" : "#wallet-progress").textContent = words ?? "";
    },
    showProblems: (problems) => {
      consent?.show(problems.consent);
      if (problems.consent !== undefined) consent?.input.focus();
    },
    showNotice,
    correctTotal: () => undefined,
    hasConsent: () => {
      showNotice(undefined);
      if (consent === undefined || consent.check()) return true;
      consent.input.focus();
      return false;
    },
  };
}
