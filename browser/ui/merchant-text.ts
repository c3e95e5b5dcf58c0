import { type Html, html } from "./html.ts";

/** Characters that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Merchant text that can't reverse or hide the text beside it. */
export function plainWords(text: string): string {
  return text.replace(DIRECTION_MARKS, "");
}

/** The same as markup, isolated in its own direction. */
export function merchantText(text: string): Html {
  return html`<bdi>${plainWords(text)}</bdi>`;
}
