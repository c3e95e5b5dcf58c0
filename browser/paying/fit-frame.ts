import { HANDOVER } from "./open-bank-frame.ts";

/**
 * Keeps a frame as high as its page. Only a page of our own origin can be measured; any other keeps the height from the
 * style sheet. Returns a function that stops it.
 */
export function fitFrame(frame: HTMLIFrameElement): () => void {
  const fit = (): void => {
    const page = frame.contentDocument;
    // Still loading, or on its way to the bank.
    if (page && (!page.body || page.location.pathname === HANDOVER)) return;
    frame.style.height = page ? `${Math.ceil(page.body.getBoundingClientRect().height)}px` : "";
  };
  frame.addEventListener("load", fit);
  window.addEventListener("resize", fit);
  return () => window.removeEventListener("resize", fit);
}
