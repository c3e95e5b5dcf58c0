import type { Edit, Edited } from "./edit-digits.ts";

/** Formats a field after every edit and restores the caret. */
export function formatInput(input: HTMLInputElement, format: (edit: Edit) => Edited): void {
  let before = input.value;
  let lastKey = "";

  function reformat(event: Event): void {
    // While an input method composes, the text is not final and must not change.
    if ("isComposing" in event && event.isComposing === true) return;
    const after = input.value;
    const deleted = event.type === "input" ? deletionOf(event, lastKey) : undefined;
    const { value, caret } = format({ before, after, caret: input.selectionStart ?? after.length, deleted });
    before = value;
    if (value === after) return;
    input.value = value;
    if (document.activeElement === input) input.setSelectionRange(caret, caret);
  }

  input.addEventListener("keydown", (event) => {
    lastKey = event.key;
  });
  input.addEventListener("input", reformat);
  input.addEventListener("compositionend", reformat);
}

/** Older browsers don't report the kind of edit; there the last key decides. */
function deletionOf(event: Event, lastKey: string): Edit["deleted"] {
  const kind = "inputType" in event ? String(event.inputType) : "";
  if (kind === "deleteContentForward" || (kind === "" && lastKey === "Delete")) return "forward";
  return kind.startsWith("delete") || (kind === "" && lastKey === "Backspace") ? "backward" : undefined;
}
