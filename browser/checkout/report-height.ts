/** Tells the height of the content whenever it changes, by the best means that the browser has. */
export function reportHeight(content: HTMLElement, tell: (height: number) => void): void {
  let told = 0;
  const report = (): void => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === told || height === 0) return;
    told = height;
    tell(height);
  };

  if ("ResizeObserver" in window) {
    new ResizeObserver(report).observe(content);
  } else {
    // Changes of the content, of the width, of the font once it is there; and a slow look for whatever is left.
    new MutationObserver(report).observe(content, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    setInterval(report, 500);
  }
  window.addEventListener("resize", report);
  window.addEventListener("load", report);
  report();
}
