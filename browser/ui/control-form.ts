import type { StoreCard } from "./consent-field.ts";
import type { FieldProblems } from "./field-problems.ts";
import { getElement } from "./get-element.ts";

/** The button that the payer used: the card form's or a wallet's. */
export type PayButton = "card" | "wallet";

export type PayFormControl = {
  /** With words, shows them as progress and disables the form; without, enables it. */
  readonly setBusy: (words: string | undefined, button: PayButton) => void;
  readonly showProblems: (problems: FieldProblems) => void;
  readonly showNotice: (words: string | undefined) => void;
  /** Enables the form for another attempt, with number and security code cleared. */
  readonly reopen: () => void;
  /** Shows the gateway's total for the entered card. */
  readonly correctTotal: (total: number) => void;
  /** The surcharge of the entered card; 0 without one. */
  readonly surcharge: () => number;
  /** The payer lets the merchant store the card: by the box, or by paying where the page says so. */
  readonly consents: () => boolean;
};

const PROGRESS = [
  ["#progress", "card"],
  ["#wallet-progress", "wallet"],
] as const;

/** Controls what every form of `payForm` has, with card fields or without. */
export function controlForm(
  form: HTMLFormElement,
  storeCard: StoreCard,
): PayFormControl & { readonly isBusy: () => boolean } {
  const notice = getElement<HTMLElement>(form, "#notice");
  const fieldset = getElement<HTMLFieldSetElement>(form, "fieldset");
  const box = form.querySelector<HTMLInputElement>("#consent");

  form.noValidate = true;
  form.addEventListener("submit", (event) => event.preventDefault());

  function showNotice(words: string | undefined): void {
    getElement(notice, "span").textContent = words ?? "";
    notice.hidden = words === undefined;
    // As an alert it is announced. A payer who is elsewhere on the merchant's page stays there.
    if (words !== undefined && document.hasFocus()) notice.focus();
  }

  function setBusy(words: string | undefined, button?: PayButton): void {
    fieldset.disabled = words !== undefined;
    form.classList.toggle("busy", words !== undefined);
    form.classList.toggle("busy-wallet", words !== undefined && button === "wallet");
    for (const [place, of] of PROGRESS) {
      const shown = form.querySelector(place);
      if (shown !== null) shown.textContent = of === button ? (words ?? "") : "";
    }
  }

  return {
    isBusy: () => fieldset.disabled,
    setBusy,
    showProblems: () => undefined,
    showNotice,
    reopen: () => setBusy(undefined),
    correctTotal: () => undefined,
    surcharge: () => 0,
    consents: () => storeCard === "always" || box?.checked === true,
  };
}
