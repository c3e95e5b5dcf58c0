import { isObject } from "../protocol/is-object.ts";
import { findElement } from "../ui/find-element.ts";
import { openModal } from "./modal.ts";
import type { SheetEnd, SheetParts } from "./sheet.ts";
import { priceOf, sheetMarkup } from "./sheet-markup.ts";

const ANSWER_WITHIN_MS = 15_000;

/**
 * The sandbox's stand-in for a vendor's sheet, in any browser. The payload comes from the sandbox's wallet, made as the
 * vendor makes it, so that everything after this sheet is what happens with real money.
 */
export function openSandboxSheet(parts: SheetParts): Promise<SheetEnd> {
  const { type, host, settings } = parts;
  const cards = settings.sandboxCards;
  const [first] = cards;
  if (first === undefined) return Promise.resolve("failed");
  let card = first;
  let quote = host.quote(card.cardType);

  return new Promise((resolve) => {
    const modal = openModal(sheetMarkup(parts, quote), cancel);
    const form = findElement<HTMLFormElement>(modal.element, "form");
    const fields = findElement<HTMLFieldSetElement>(form, "fieldset");
    const problem = findElement<HTMLElement>(form, "#sheet-problem");
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
      // What was shown when it was confirmed, whatever is chosen while the answer is on its way.
      const { id, cardType } = card;
      const { total } = quote;
      const call = { card: id, total };
      const reply = await host.call(`/sandbox/wallets/${type}`, call, ANSWER_WITHIN_MS);
      const token = reply.kind === "answered" && isObject(reply.body) ? reply.body["token"] : undefined;
      setSending(false);
      if (token === undefined) {
        problem.hidden = false;
        return;
      }
      modal.close();
      resolve({ token, total, cardType, answered: () => undefined });
    }

    fields.addEventListener("change", (event) => {
      card = cards.find(({ id }) => id === (event.target as HTMLInputElement).value) ?? card;
      quote = host.quote(card.cardType);
      findElement(form, "#sheet-price").innerHTML = priceOf(quote).html;
      host.emitSurcharge(quote);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void confirm();
    });
    findElement(form, "#sheet-cancel").addEventListener("click", cancel);
  });
}
