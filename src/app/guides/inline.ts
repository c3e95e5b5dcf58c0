import { type Html, html } from "../reference/html.ts";

/** Where a link of a page leads in the docs of this gateway; undefined when that is nothing that is served. */
export type LinkOf = (target: string) => string | undefined;

const PIECES =
  /`([^`]+)`|\*\*([^*]+(?:`[^`]*`[^*]*)*)\*\*|\[((?:`[^`]*`|[^\]])+)\]\(([^)\s]+)\)|<(https?:\/\/[^>\s]+)>/g;

/** Text with code, bold words and links in it. Everything else is text, tags included. */
export function inline(text: string, linkOf: LinkOf): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(PIECES)) {
    const [whole, code, bold, label, target, address] = match;
    parts.push(html`${text.slice(at, match.index)}`);
    at = match.index + whole.length;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold, linkOf)}</strong>`);
    else if (address !== undefined) parts.push(html`<a href="${address}">${address}</a>`);
    else parts.push(linked(inline(label ?? "", linkOf), linkOf(target ?? "")));
  }
  return html`${[...parts, html`${text.slice(at)}`]}`;
}

/** What is not served here (a file of the repository) keeps its name and loses its link. */
function linked(label: Html, address: string | undefined): Html {
  return address === undefined ? label : html`<a href="${address}">${label}</a>`;
}

/** The words alone, as for an address or a title. */
export function plainWords(text: string): string {
  const words = (whole: string, ...groups: readonly (string | undefined)[]): string =>
    groups[0] ?? groups[1] ?? groups[2] ?? whole;
  return text.replaceAll(PIECES, words);
}
