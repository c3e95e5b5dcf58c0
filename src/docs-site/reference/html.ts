import { type Html, html } from "../../../browser/ui/html.ts";
import { CODES_PAGE } from "../../kernel/codes/present-code.ts";

export { type Html, html };

export const NOTHING: Html = { html: "" };

/** Renders a sentence of the catalogue or a route: text in backticks becomes code, and codes link to their meaning. */
export function prose(sentence: string): Html {
  const parts = sentence.split("`").map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    return /^[ADVS]\d{5}$/.test(part) ? codeLink(part) : html`<code>${part}</code>`;
  });
  return html`${parts}`;
}

/** Every code has its anchor on the page of codes. */
export function codeLink(code: string): Html {
  return html`<a class="code" href="${CODES_PAGE}#${code}">${code}</a>`;
}

/** Lets a long name break after this character only. */
export function breakable(name: string, after: string): Html {
  const parts = name.split(after);
  return html`${parts.map((part, index) => (index === 0 ? html`${part}` : html`${after}<wbr />${part}`))}`;
}

/** Joins parts with a separator. */
export function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
