import { findElement } from "../ui/find-element.ts";
import type { Html } from "../ui/html.ts";

export type Modal = { readonly element: HTMLElement; readonly close: () => void };

/**
 * Lays a dialog over the page. The focus stays in it, Escape is a press of Cancel, and whoever opened it gets the focus
 * back. `<dialog>` would do all of this, but the oldest browsers that we support don't have it.
 */
export function openModal(markup: Html, onCancel: () => void): Modal {
  const main = findElement<HTMLElement>(document, "main");
  const before = document.activeElement;
  const veil = document.createElement("div");
  veil.className = "veil";
  veil.innerHTML = markup.html;
  main.appendChild(veil);
  const element = findElement<HTMLElement>(veil, '[role="dialog"]');
  const stopFitting = fitPage(main, veil, element);
  findElement<HTMLElement>(element, "[data-first]").focus();

  function keys(event: KeyboardEvent): void {
    if (event.key === "Escape" || event.key === "Esc") {
      event.preventDefault();
      onCancel();
    } else if (event.key === "Tab") keepFocus(event, element);
  }
  /** A press beside the sheet, or a tab that came round from the page above, ends in it again. */
  function bringBack(): void {
    if (!element.contains(document.activeElement)) stopsOf(element)[0]?.focus();
  }
  document.addEventListener("keydown", keys);
  document.addEventListener("focusin", bringBack);

  return {
    element,
    close: () => {
      document.removeEventListener("keydown", keys);
      document.removeEventListener("focusin", bringBack);
      stopFitting();
      main.removeChild(veil);
      if (before instanceof HTMLElement) before.focus();
    },
  };
}

function keepFocus(event: KeyboardEvent, element: HTMLElement): void {
  const stops = stopsOf(element);
  const [first, last] = [stops[0], stops[stops.length - 1]];
  const [leaving, entering] = event.shiftKey ? [first, last] : [last, first];
  if (document.activeElement !== leaving && element.contains(document.activeElement)) return;
  event.preventDefault();
  entering?.focus();
}

/** Where the Tab key halts: of a group of radio buttons only at the one that is chosen. */
function stopsOf(element: HTMLElement): readonly HTMLElement[] {
  const all = element.querySelectorAll<HTMLElement>("input:checked, button");
  return Array.from(all).filter((one) => !one.matches(":disabled"));
}

/** A frame is as high as its page, so the page has to be as high as the sheet. A page of its own scrolls instead. */
function fitPage(main: HTMLElement, veil: HTMLElement, element: HTMLElement): () => void {
  if (window.parent === window) return () => undefined;
  const grow = (): void => {
    const { paddingTop, paddingBottom } = getComputedStyle(veil);
    const air = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    main.style.minHeight = `${Math.ceil(element.getBoundingClientRect().height + air)}px`;
  };
  grow();
  element.addEventListener("change", grow);
  window.addEventListener("resize", grow);
  return () => {
    window.removeEventListener("resize", grow);
    main.style.minHeight = "";
  };
}
