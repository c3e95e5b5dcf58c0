import type { Quote } from "../paying/wallet-host.ts";
import { getElement } from "../ui/get-element.ts";
import { openModal } from "./modal.ts";
import type { SheetContext } from "./sheet.ts";
import { confirmMarkup } from "./sheet-markup.ts";

/** Shows the surcharge of the chosen card before anything is charged. True: the payer accepts it. */
export function confirmTotal(context: SheetContext, quote: Quote, last4: string): Promise<boolean> {
  return new Promise((resolve) => {
    const close = (agreed: boolean): void => {
      modal.close();
      resolve(agreed);
    };
    const modal = openModal(confirmMarkup(context, quote, last4), () => close(false));
    getElement(modal.element, "form").addEventListener("submit", (event) => {
      event.preventDefault();
      close(true);
    });
    getElement(modal.element, "#sheet-cancel").addEventListener("click", () => close(false));
  });
}
