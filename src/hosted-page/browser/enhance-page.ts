/** What scripts add to any hosted page: a wide window has room for all items, and a receipt can be printed. */
export function dressPage(page: Document): void {
  const details = page.querySelector<HTMLDetailsElement>(".item-details");
  if (details !== null && window.matchMedia("(min-width: 760px)").matches) details.open = true;

  // A picture that can't be had leaves its place empty, not broken.
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
