/** Opens the item list in a wide window, hides broken pictures and offers to print the receipt. */
export function enhancePage(page: Document): void {
  const details = page.querySelector<HTMLDetailsElement>(".breakdown");
  if (details !== null && window.matchMedia("(min-width: 760px)").matches) details.open = true;

  // An empty place instead of the browser's broken-image icon.
  for (const picture of Array.from(
    page.querySelectorAll<HTMLImageElement>(".item-picture img, .shop-logo"),
  )) {
    const hide = (): void => {
      picture.hidden = true;
    };
    if (picture.complete && picture.naturalWidth === 0) hide();
    picture.addEventListener("error", hide);
  }

  const print = page.querySelector<HTMLButtonElement>("#print");
  if (print !== null) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
  const heading = page.querySelector<HTMLElement>("#heading");
  if (heading !== null) heading.focus();
}
