/** On narrow windows the navigation scrolls; the section that one is in should be seen. */
export function showCurrentSection(page: Document): void {
  const current = page.querySelector<HTMLElement>(".sections [aria-current]");
  const strip = page.querySelector<HTMLElement>(".sections");
  if (current === null || strip === null) return;
  strip.scrollLeft = Math.max(0, current.offsetLeft - strip.clientWidth / 3);
}
