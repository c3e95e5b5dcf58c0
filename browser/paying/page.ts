import { getElement } from "../ui/get-element.ts";
import type { PageState } from "../ui/page-state.ts";
import { type StatusPanel, statusPanel } from "../ui/status-panel.ts";

/** The page's `main`: a place for the form, one for panels, and one that screen readers announce. */
export type Page = {
  readonly setState: (state: PageState) => void;
  readonly formPlace: HTMLElement;
  readonly panelPlace: HTMLElement;
  /** Shows the form with the payer's entries kept. */
  readonly showForm: (state: PageState) => void;
  readonly showPanel: (state: PageState, panel: StatusPanel) => void;
  /** Shows a panel with other markup than `statusPanel`'s. */
  readonly showMarkup: (state: PageState, markup: string) => void;
  /** Removes the form with the payer's entries. */
  readonly dropForm: () => void;
  /** Announces the words and moves the focus to `main`, since a disabled field can't keep it. */
  readonly setBusy: (words: string) => void;
  readonly announce: (words: string) => void;
};

export function openPage(): Page {
  const main = getElement<HTMLElement>(document, "main");
  const formPlace = getElement<HTMLElement>(main, "#form-place");
  const panelPlace = getElement<HTMLElement>(main, "#panel-place");
  const announcer = getElement<HTMLElement>(main, "#announcer");

  function setState(state: PageState): void {
    main.setAttribute("data-state", state);
    main.removeAttribute("aria-busy");
  }

  function showMarkup(state: PageState, markup: string): void {
    formPlace.hidden = true;
    panelPlace.hidden = false;
    panelPlace.innerHTML = markup;
    setState(state);
    // Moves the focus only if this page has it: a payer elsewhere on the merchant's page gets an announcement instead.
    const isFocused = document.hasFocus();
    announcer.textContent = isFocused ? "" : panelPlace.textContent;
    if (isFocused) getElement<HTMLElement>(panelPlace, "#heading").focus();
  }

  return {
    setState,
    formPlace,
    panelPlace,
    showForm: (state) => {
      panelPlace.hidden = true;
      panelPlace.textContent = "";
      formPlace.hidden = false;
      announcer.textContent = "";
      setState(state);
    },
    showPanel: (state, panel) => showMarkup(state, statusPanel(panel)),
    showMarkup,
    dropForm: () => {
      formPlace.textContent = "";
    },
    setBusy: (words) => {
      setState("processing");
      if (document.hasFocus()) main.focus();
      announcer.textContent = words;
    },
    announce: (words) => {
      announcer.textContent = words;
    },
  };
}
