/** Adds a copy button to every text with `data-copy`. Where the text itself is not shown, `data-copy-text` has it. */
export function offerCopies(page: Document, within: ParentNode = page): void {
  if (navigator.clipboard === undefined) return;
  for (const text of Array.from(within.querySelectorAll<HTMLElement>("[data-copy]"))) {
    const hidden = text.getAttribute("data-copy-text");
    const button = page.createElement("button");
    const what = `Copy ${text.getAttribute("data-copy") ?? ""}`;
    const offer = () => {
      // The style draws a picture on a button without words.
      if (hidden === null) button.textContent = "Copy";
      button.setAttribute("aria-label", what);
      button.removeAttribute("data-done");
    };
    button.type = "button";
    button.className = hidden === null ? "small" : "copy-icon";
    if (hidden !== null) button.title = what;
    offer();
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(hidden === null ? (text.textContent ?? "") : hidden).then(() => {
        if (hidden === null) button.textContent = "Copied";
        else button.setAttribute("aria-label", "Copied");
        button.setAttribute("data-done", "");
        window.setTimeout(offer, 2_000);
      });
    });
    const place = hidden === null ? text.parentElement : text;
    if (place !== null) place.appendChild(button);
  }
}
