/** Shows the value under the pointer, and with the arrow keys the value of each point. */
export function showValues(page: Document): void {
  for (const box of Array.from(page.querySelectorAll<HTMLElement>("[data-plot]"))) {
    const line = box.querySelector<HTMLElement>(".plot-value");
    if (line === null) continue;
    let current: Element | null = null;
    const show = (point: Element | null) => {
      if (current !== null) current.classList.remove("plot-current");
      current = point;
      line.textContent = point === null ? "\u00a0" : point.getAttribute("data-tip");
      if (point !== null) point.classList.add("plot-current");
    };
    const point = (event: PointerEvent) => {
      const under = (event.target as Element).closest("[data-tip]");
      if (under !== null && under !== current) show(under);
    };
    box.addEventListener("pointermove", point);
    box.addEventListener("pointerdown", point);
    // A finger leaves as soon as it is lifted, and the value stays to be read.
    box.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType !== "touch") show(null);
    });
    box.addEventListener("blur", () => show(null));
    box.addEventListener("keydown", (event) => {
      const points = shownPoints(box);
      const at = current === null ? -1 : points.indexOf(current);
      const next = nextPlace(event.key, at, points.length);
      if (next === undefined) return;
      event.preventDefault();
      show(points[next] ?? null);
    });
  }
}

/** A plot is drawn for several widths; one of them is shown. */
function shownPoints(box: HTMLElement): Element[] {
  const plots = Array.from(box.querySelectorAll("svg"));
  const shown = plots.find((plot) => plot.getBoundingClientRect().width > 0);
  return shown === undefined ? [] : Array.from(shown.querySelectorAll("[data-tip]"));
}

function nextPlace(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return Math.min(count - 1, at + 1);
  if (key === "ArrowLeft") return at < 0 ? count - 1 : Math.max(0, at - 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
