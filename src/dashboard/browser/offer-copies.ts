/** Adds a copy button to every text with `data-copy`. */
export function offerCopies(page: Document): void {
  if (navigator.clipboard === undefined) return;
  for (const text of Array.from(page.querySelectorAll<HTMLElement>("[data-copy]"))) {
    const button = page.createElement("button");
    const what = text.getAttribute("data-copy") ?? "";
    button.type = "button";
    button.className = "small";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${what}`);
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(text.textContent ?? "").then(() => {
        button.textContent = "Copied";
        window.setTimeout(() => {
          button.textContent = "Copy";
        }, 2_000);
      });
    });
    if (text.parentElement !== null) text.parentElement.appendChild(button);
  }
}
