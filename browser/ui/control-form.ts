import { controlField, type FieldControl } from "./field-control.ts";
import { CONSENT_PROBLEM, type FieldProblems } from "./field-problems.ts";
import { findElement } from "./find-element.ts";

/** How the payer pays: with a card that is typed in, or with a wallet's button. */
export type Way = "card" | "wallet";

export type PayFormControl = {
  /** Nothing can be changed or sent while there are words for what is going on. */
  readonly setBusy: (words: string | undefined, way: Way) => void;
  readonly showProblems: (problems: FieldProblems) => void;
  readonly showNotice: (words: string | undefined) => void;
  /** The gateway named another total for the card that is typed in. */
  readonly correctTotal: (total: number) => void;
  /** True when nothing is kept or the payer agreed to it; otherwise says beside the box that it must be ticked. */
  readonly agreed: () => boolean;
};

/** What every form of `payForm` has, with fields for a card or without. */
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
    setBusy: (words, way) => {
      fieldset.disabled = words !== undefined;
      form.classList.toggle("busy", words !== undefined);
      form.classList.toggle("busy-wallet", words !== undefined && way === "wallet");
      findElement(form, way === "card" ? "#progress" : "#wallet-progress").textContent = words ?? "";
    },
    showProblems: (problems) => {
      consent?.show(problems.consent);
      if (problems.consent !== undefined) consent?.input.focus();
    },
    showNotice,
    correctTotal: () => undefined,
    agreed: () => {
      showNotice(undefined);
      if (consent === undefined || consent.check()) return true;
      consent.input.focus();
      return false;
    },
  };
}
