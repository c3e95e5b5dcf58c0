import { type BankDone, type BankStepName, readBankDone } from "../protocol/messages.ts";
import type { BankStep } from "./read-responses.ts";

/** Our page from which a frame leaves for the bank. Its policy allows the form post; this page's does not. */
export const HANDOVER = "/checkout/3ds/handover";

/**
 * Posts to the bank in that frame. Calls `done` when the bank has returned to our own page in it; messages of other windows
 * and origins are ignored. Returns a function that stops listening.
 */
export function openBankFrame(
  frame: HTMLIFrameElement,
  step: BankStepName,
  { url, fields }: BankStep,
  done: (message: BankDone) => void,
): () => void {
  function leave(): void {
    const page = frame.contentDocument;
    const form = page?.querySelector("form");
    // Some browsers load an empty page first.
    if (!page || !form) return;
    frame.removeEventListener("load", leave);
    form.action = url;
    for (const name of Object.keys(fields)) {
      const input = page.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = fields[name] ?? "";
      form.appendChild(input);
    }
    form.submit();
  }
  function receive({ source, origin, data }: MessageEvent<unknown>): void {
    if (source !== frame.contentWindow || origin !== window.location.origin) return;
    const message = readBankDone(data);
    if (message?.step === step) done(message);
  }
  frame.addEventListener("load", leave);
  window.addEventListener("message", receive);
  frame.src = HANDOVER;
  return () => {
    frame.removeEventListener("load", leave);
    window.removeEventListener("message", receive);
  };
}
