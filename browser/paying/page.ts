import { findElement } from "../ui/find-element.ts";
import type { PageState } from "../ui/page-state.ts";
import { type StatusPanel, statusPanel } from "../ui/status-panel.ts";

/** The one `main` of the frame: a place for the form, a place for everything else, and a voice for screen readers. */
export type Page = {
  readonly setState: (state: PageState) => void;
  readonly formPlace: HTMLElement;
  readonly panelPlace: HTMLElement;
  /** The form, with what was typed still in it. */
  readonly showForm: (state: PageState) => void;
  readonly showPanel: (state: PageState, panel: StatusPanel) => void;
  /** A panel with markup of its own. */
  readonly showMarkup: (state: PageState, markup: string) => void;
  /** What was typed is not needed any more, and is not kept. */
  readonly dropForm: () => void;
  /** Work is going on: the focus, whose field can take it no more, waits on the page itself. */
  readonly hold: (words: string) => void;
  readonly announce: (words: string) => void;
};

export function openPage(): Page {
  const main = findElement<HTMLElement>(document, "main");
  const formPlace = findElement<HTMLElement>(main, "#form-place");
  const panelPlace = findElement<HTMLElement>(main, "#panel-place");
  const announcer = findElement<HTMLElement>(main, "#announcer");

  function setState(state: PageState): void {
    main.setAttribute("data-state", state);
    main.removeAttribute("aria-busy");
  }

  function showMarkup(state: PageState, markup: string): void {
    formPlace.hidden = true;
    panelPlace.hidden = false;
    // Focus moves only when it is here already: who reads elsewhere on the merchant's page stays there, and hears of it.
    const focused = document.hasFocus();
    panelPlace.setAttribute("aria-live", focused ? "off" : "polite");
    panelPlace.innerHTML = markup;
    announcer.textContent = "";
    setState(state);
    if (focused) findElement<HTMLElement>(panelPlace, "#heading").focus();
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
    hold: (words) => {
      setState("processing");
      if (document.hasFocus()) main.focus();
      announcer.textContent = words;
    },
    announce: (words) => {
      announcer.textContent = words;
    },
  };
}
