/**
 * Copies a text and selects the element that shows it. Not by the newer clipboard, which a frame may use only if the page
 * around it says so.
 */
export function copyText(shown: Element, text: string): boolean {
  const selection = getSelection();
  const range = document.createRange();
  range.selectNodeContents(shown);
  selection?.removeAllRanges();
  selection?.addRange(range);
  const write = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", write);
  // oxlint-disable-next-line typescript/no-deprecated -- A frame has no other way without the page's permission.
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", write);
  return isCopied;
}
