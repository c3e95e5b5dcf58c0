import { digitsOf } from "./card-number.ts";

export type Edited = { readonly value: string; readonly caret: number };

export type Edit = {
  readonly before: string;
  readonly after: string;
  /** The caret's position in `after`. */
  readonly caret: number;
  /** Undefined for typing, pasting and autofill. */
  readonly deleted: "backward" | "forward" | undefined;
};

/**
 * Groups the digits again after an edit and keeps the caret at its digit. Deleting a separator deletes the digit beyond
 * it, because the payer did not type the separator.
 */
export function editDigits(edit: Edit, group: (digits: string) => string): Edited {
  const { before, after, deleted } = edit;
  let digits = digitsOf(after);
  let kept = digitsOf(after.slice(0, edit.caret)).length;
  if (deleted !== undefined && after.length < before.length && digits === digitsOf(before)) {
    if (deleted === "backward") kept = Math.max(0, kept - 1);
    digits = digits.slice(0, kept) + digits.slice(kept + 1);
  }
  const value = group(digits);
  return { value, caret: caretAfter(value, kept, deleted === undefined) };
}

/** The position after the given number of digits; while typing, also after the separator that follows. */
export function caretAfter(value: string, digits: number, typing: boolean): number {
  let caret = 0;
  for (let seen = 0; seen < digits && caret < value.length; caret += 1) {
    if (/\d/.test(value.charAt(caret))) seen += 1;
  }
  while (typing && caret < value.length && !/\d/.test(value.charAt(caret))) caret += 1;
  return caret;
}
