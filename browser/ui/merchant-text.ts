import { type Html, html } from "./html.ts";

/** Marks that turn the direction of what follows them, beyond the text that they stand in. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Words of the merchant as plain text: nothing in them can turn or hide what stands beside. */
export function plainWords(text: string): string {
  return text.replace(DIRECTION_MARKS, "");
}

/** The same on the page: a text of its own direction, which ends where it ends. */
export function merchantText(text: string): Html {
  return html`<bdi>${plainWords(text)}</bdi>`;
}
