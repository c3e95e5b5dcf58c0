/** Reports the height of the content whenever it changes. */
export function reportHeight(content: HTMLElement, send: (height: number) => void): void {
  let sent = 0;
  const report = (): void => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === sent || height === 0) return;
    sent = height;
    send(height);
  };

  if ("ResizeObserver" in window) {
    new ResizeObserver(report).observe(content);
  } else {
    // Catches changes of the content; the interval catches the rest, such as a font that loads late.
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
