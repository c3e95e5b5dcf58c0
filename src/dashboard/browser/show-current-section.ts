/** In a narrow window the navigation scrolls; this makes the current section visible. */
export function showCurrentSection(page: Document): void {
  const current = page.querySelector<HTMLElement>(".sections [aria-current]");
  const strip = page.querySelector<HTMLElement>(".sections");
  if (current === null || strip === null) return;
  strip.scrollLeft = Math.max(0, current.offsetLeft - strip.clientWidth / 3);
}
