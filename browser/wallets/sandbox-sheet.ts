import { isObject } from "../protocol/is-object.ts";
import { getElement } from "../ui/get-element.ts";
import { openModal } from "./modal.ts";
import type { SheetContext, SheetResult } from "./sheet.ts";
import { priceOf, sheetMarkup } from "./sheet-markup.ts";

const TIMEOUT_MS = 15_000;

/**
 * Simulates a vendor's sheet, in any browser. The sandbox's wallet builds the payload as the vendor does, so everything
 * after this sheet runs as in live mode.
 */
export function openSandboxSheet(context: SheetContext): Promise<SheetResult> {
  const { type, host, settings } = context;
  const cards = settings.sandboxCards;
  const [first] = cards;
  if (first === undefined) return Promise.resolve("failed");
  let card = first;
  let quote = host.quote(card.cardType);

  return new Promise((resolve) => {
    const modal = openModal(sheetMarkup(context, quote), cancel);
    const form = getElement<HTMLFormElement>(modal.element, "form");
    const fields = getElement<HTMLFieldSetElement>(form, "fieldset");
    const problem = getElement<HTMLElement>(form, "#sheet-problem");
    let sending = false;
    host.emitSurcharge(quote);

    function setSending(now: boolean): void {
      sending = now;
      form.classList.toggle("busy", now);
    }

    function cancel(): void {
      if (sending) return;
      modal.close();
      resolve("cancelled");
    }

    async function confirm(): Promise<void> {
      if (sending) return;
      setSending(true);
      problem.hidden = true;
      // Pays what was shown at the confirmation, even if the payer chooses another card before the response.
      const { id, cardType } = card;
      const { total } = quote;
      const call = { card: id, total };
      const reply = await host.call(`/sandbox/wallets/${type}`, call, TIMEOUT_MS);
      const token = reply.kind === "answered" && isObject(reply.body) ? reply.body["token"] : undefined;
      setSending(false);
      if (token === undefined) {
        problem.hidden = false;
        return;
      }
      modal.close();
      resolve({ token, total, cardType, onOutcome: () => undefined });
    }

    fields.addEventListener("change", (event) => {
      card = cards.find(({ id }) => id === (event.target as HTMLInputElement).value) ?? card;
      quote = host.quote(card.cardType);
      getElement(form, "#sheet-price").innerHTML = priceOf(host.speech, quote).html;
      host.emitSurcharge(quote);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void confirm();
    });
    getElement(form, "#sheet-cancel").addEventListener("click", cancel);
  });
}
