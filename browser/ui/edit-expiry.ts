import { digitsOf, plainText } from "./card-number.ts";
import { caretAfter, type Edit, type Edited, editDigits } from "./edit-digits.ts";
import { expiryDigits, groupExpiry, STARTED } from "./expiry.ts";

/** Typing adds the zero and the slash; deleting adds nothing. */
export function editExpiry(edit: Edit): Edited {
  if (edit.deleted !== undefined) return editDigits(edit, (digits) => groupExpiry(digits.slice(0, 6), false));
  // No card expires in a year that begins with 0: this is a year that comes first.
  const text = plainText(edit.after).replace(/^02 \/ 0$/, "20");
  if (STARTED.test(text)) return { value: text, caret: text.length };
  const digits = expiryDigits(edit.after);
  const value = groupExpiry(digits, true);
  if (edit.caret >= edit.after.length) return { value, caret: value.length };
  const zero = digits.startsWith("0") && !digitsOf(edit.after).startsWith("0") ? 1 : 0;
  return { value, caret: caretAfter(value, digitsOf(edit.after.slice(0, edit.caret)).length + zero, true) };
}
