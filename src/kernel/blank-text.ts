/**
 * Spaces and signs without a glyph, as a part of a character class. The signs are literal, because not every
 * regular-expression engine reads escapes of them; those beyond U+FFFF can't be in a class that reads the same everywhere.
 */
export const BLANK =
  " \u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f" +
  "\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb";

const VISIBLE = new RegExp(`[^\\x00-\\x1f\\x7f-\\x9f${BLANK}]`);

/** Whether a reader sees nothing of a text. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
