import type { Quote } from "../paying/wallet-host.ts";
import { findElement } from "../ui/find-element.ts";
import { openModal } from "./modal.ts";
import type { SheetParts } from "./sheet.ts";
import { confirmMarkup } from "./sheet-markup.ts";

/** Shows what the chosen card costs on top, before anything is charged. True: the payer agrees. */
export function confirmTotal({ type }: SheetParts, quote: Quote, last4: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (agreed: boolean): void => {
      modal.close();
      resolve(agreed);
    };
    const modal = openModal(confirmMarkup(type, quote, last4), () => end(false));
    findElement(modal.element, "form").addEventListener("submit", (event) => {
      event.preventDefault();
      end(true);
    });
    findElement(modal.element, "#sheet-cancel").addEventListener("click", () => end(false));
  });
}
