const SHOWN_MS = 2_000;

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
      else button.title = what;
      button.setAttribute("aria-label", what);
      button.removeAttribute("data-done");
    };
    button.type = "button";
    button.className = hidden === null ? "small" : "copy-icon";
    offer();
    button.addEventListener("click", () => {
      const show = (words: string) => {
        if (hidden === null) button.textContent = words;
        else button.title = words;
        button.setAttribute("aria-label", words);
        window.setTimeout(offer, SHOWN_MS);
      };
      navigator.clipboard.writeText(hidden === null ? (text.textContent ?? "") : hidden).then(
        () => {
          button.setAttribute("data-done", "");
          show("Copied");
        },
        () => show(refused(text, hidden)),
      );
    });
    const place = hidden === null ? text.parentElement : text;
    if (place !== null) place.appendChild(button);
  }
}

/** The browser may refuse the clipboard; a text on the page is then selected, ready for the reader's own keys. */
function refused(text: HTMLElement, hidden: string | null): string {
  if (hidden !== null) return "Not copied";
  const selection = window.getSelection();
  if (selection !== null) selection.selectAllChildren(text);
  return "Press Ctrl+C";
}
