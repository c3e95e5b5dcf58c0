/** Adds a copy button to every text with `data-copy`. Where the text itself is not shown, `data-copy-text` has it. */
export function offerCopies(page: Document): void {
  if (navigator.clipboard === undefined) return;
  for (const text of Array.from(page.querySelectorAll<HTMLElement>("[data-copy]"))) {
    const hidden = text.getAttribute("data-copy-text");
    const [offer, done] = hidden === null ? ["Copy", "Copied"] : ["⧉", "✓"];
    const button = page.createElement("button");
    const what = `Copy ${text.getAttribute("data-copy") ?? ""}`;
    button.type = "button";
    button.className = hidden === null ? "small" : "copy-icon";
    button.textContent = offer;
    button.setAttribute("aria-label", what);
    if (hidden !== null) button.title = what;
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(hidden === null ? (text.textContent ?? "") : hidden).then(() => {
        button.textContent = done;
        window.setTimeout(() => {
          button.textContent = offer;
        }, 2_000);
      });
    });
    const place = hidden === null ? text.parentElement : text;
    if (place !== null) place.appendChild(button);
  }
}
