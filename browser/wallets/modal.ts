import { getElement } from "../ui/get-element.ts";
import type { Html } from "../ui/html.ts";

export type Modal = { readonly element: HTMLElement; readonly close: () => void };

/**
 * Opens a dialog over the page. It keeps the focus, Escape cancels, and the opener gets the focus back. `<dialog>` would
 * do this, but the oldest supported browsers don't have it.
 */
export function openModal(markup: Html, onCancel: () => void): Modal {
  const main = getElement<HTMLElement>(document, "main");
  const before = document.activeElement;
  const veil = document.createElement("div");
  veil.className = "veil";
  veil.innerHTML = markup.html;
  main.appendChild(veil);
  const element = getElement<HTMLElement>(veil, '[role="dialog"]');
  const stopFitting = fitPage(main, veil, element);
  getElement<HTMLElement>(element, "[data-first]").focus();

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape" || event.key === "Esc") {
      event.preventDefault();
      onCancel();
    } else if (event.key === "Tab") keepFocus(event, element);
  }
  /** Returns the focus to the dialog after a click beside it or a Tab from the embedding page. */
  function restoreFocus(): void {
    if (!element.contains(document.activeElement)) tabStops(element)[0]?.focus();
  }
  document.addEventListener("keydown", onKeyDown);
  document.addEventListener("focusin", restoreFocus);

  return {
    element,
    close: () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("focusin", restoreFocus);
      stopFitting();
      main.removeChild(veil);
      if (before instanceof HTMLElement) before.focus();
    },
  };
}

function keepFocus(event: KeyboardEvent, element: HTMLElement): void {
  const stops = tabStops(element);
  const [first, last] = [stops[0], stops[stops.length - 1]];
  const [from, to] = event.shiftKey ? [first, last] : [last, first];
  if (document.activeElement !== from && element.contains(document.activeElement)) return;
  event.preventDefault();
  to?.focus();
}

/** The Tab stops: of radio buttons only the checked one. */
function tabStops(element: HTMLElement): readonly HTMLElement[] {
  const all = element.querySelectorAll<HTMLElement>("input:checked, button, a[href]");
  return Array.from(all).filter((one) => !one.matches(":disabled"));
}

/** A frame is as high as its page, so the page must be as high as the sheet. The hosted page scrolls instead. */
function fitPage(main: HTMLElement, veil: HTMLElement, element: HTMLElement): () => void {
  if (window.parent === window) return () => undefined;
  const grow = (): void => {
    const { paddingTop, paddingBottom } = getComputedStyle(veil);
    const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    main.style.minHeight = `${Math.ceil(element.getBoundingClientRect().height + padding)}px`;
  };
  grow();
  element.addEventListener("change", grow);
  window.addEventListener("resize", grow);
  return () => {
    window.removeEventListener("resize", grow);
    main.style.minHeight = "";
  };
}
