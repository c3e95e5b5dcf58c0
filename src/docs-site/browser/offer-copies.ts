const SHOWN_MS = 2_000;

export function offerCopies(page: Document): void {
  for (const block of Array.from(page.querySelectorAll<HTMLElement>("main pre"))) {
    const place = page.createElement("div");
    place.className = "code-block";
    if (block.parentNode === null) continue;
    block.parentNode.insertBefore(place, block);
    place.appendChild(block);
    const button = page.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      void copy(block).then((isCopied) => {
        button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
        window.setTimeout(() => {
          button.textContent = "Copy";
        }, SHOWN_MS);
      });
    });
    // Its new words are read out.
    button.setAttribute("aria-live", "polite");
    place.appendChild(button);
  }
}

/** Browsers offer the clipboard on secure pages only; elsewhere the text is selected, ready for the reader's own keys. */
async function copy(block: HTMLElement): Promise<boolean> {
  const text = block.textContent || "";
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (_refused) {
    const selection = window.getSelection();
    if (selection !== null) selection.selectAllChildren(block);
    return false;
  }
}
