/** Shows the print buttons, which need this script. */
export function offerPrint(page: Document): void {
  for (const button of Array.from(page.querySelectorAll<HTMLElement>("[data-print]"))) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
}
