import { getElement } from "./get-element.ts";

/** Typing and pasting. Autofill, deleting, undoing and input methods leave the focus where it is. */
const FORWARD = /^insert(Text|FromPaste)$/;

/** So long after the move, Tab is the payer's habit at the end of a field, and does nothing. */
const HABIT_MS = 2_000;

type Moving = {
  readonly isDone: () => boolean;
  /** Tells payers with a screen reader beforehand. */
  readonly hint: string;
};

/**
 * Moves on to the next field once this one is complete. It never takes the caret from a payer who edits: the caret is at
 * the end, the next field is still empty, and a payer who comes back stays, until the field was emptied.
 */
export function moveOn(input: HTMLInputElement, next: HTMLInputElement, { isDone, hint }: Moving): void {
  getElement(document, `#${input.id}-hint`).append(` ${hint}`);
  let hasMoved = false;
  let movedAt = -HABIT_MS;

  input.addEventListener("input", (event) => {
    const { value } = input;
    const isForward = FORWARD.test(event.inputType) && input.selectionStart === value.length;
    if (value === "") hasMoved = false;
    else if (isForward && !hasMoved && next.value === "" && isDone()) {
      hasMoved = true;
      movedAt = event.timeStamp;
      next.focus();
    }
  });
  next.addEventListener("keydown", (event) => {
    if (next.value !== "") return;
    // The key then deletes there, as if the payer had never left.
    if (event.key === "Backspace" && hasMoved) input.focus();
    if (event.key === "Tab" && !event.shiftKey && event.timeStamp - movedAt < HABIT_MS)
      event.preventDefault();
    movedAt = -HABIT_MS;
  });
}
