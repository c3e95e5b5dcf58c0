import { getElement } from "../../../browser/ui/get-element.ts";

/** The order includes the surcharge, so that the page shows one total. */
export function showSurcharge(
  page: Document,
  money: (cents: number) => string,
  amount: number,
  surcharge: number,
): void {
  for (const total of Array.from(page.querySelectorAll(".order-total, .sums-total dd"))) {
    total.textContent = money(amount + surcharge);
  }
  const row = page.querySelector<HTMLElement>(".sums-surcharge");
  if (row === null) return;
  row.hidden = surcharge === 0;
  getElement(row, "dd").textContent = money(surcharge);
  const sums = getElement<HTMLElement>(page, ".sums");
  if (sums.hasAttribute("data-for-surcharge")) sums.hidden = row.hidden;
}
