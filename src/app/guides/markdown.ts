import { type Html, html } from "../reference/html.ts";
import { inline, type LinkOf, plainWords } from "./inline.ts";

/**
 * The Markdown that our own pages are written in, and no more: headings, paragraphs, lists, tables, code between fences,
 * comments on lines of their own (left out). No tag of a page reaches the reader as a tag.
 */
export function renderMarkdown(text: string, linkOf: LinkOf): Html {
  return html`${blocks(text.replaceAll(/^ *<!-- [^\n]* -->\n/gm, "").split("\n"), linkOf)}`;
}

/** A heading's place, as links name it. */
export function anchorOf(heading: string): string {
  return plainWords(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}

const HEADING = /^(#{1,4}) (.+)$/;
const FENCE = /^```(\w*)$/;
const ITEM = /^(- |\d+\. )/;
const ROW = /^\|.*\|$/;

function blocks(lines: readonly string[], linkOf: LinkOf): readonly Html[] {
  const made: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const end = line.trim() === "" ? at + 1 : endOf(lines, at);
    if (end > at + 1 || line.trim() !== "") made.push(block(lines.slice(at, end), linkOf));
    at = end;
  }
  return made;
}

/** The line after the block that begins here. */
function endOf(lines: readonly string[], from: number): number {
  const first = lines[from] ?? "";
  const until = (goesOn: (line: string, at: number) => boolean) => {
    let at = from + 1;
    while (at < lines.length && goesOn(lines[at] ?? "", at)) at += 1;
    return at;
  };
  if (HEADING.test(first)) return from + 1;
  if (FENCE.test(first)) return until((line) => line !== "```") + 1;
  if (ROW.test(first)) return until((line) => ROW.test(line));
  if (!ITEM.test(first)) return until((line) => line.trim() !== "" && !FENCE.test(line) && !ITEM.test(line));
  // A list goes on with its next item, and with whatever is indented below one.
  const isOrdered = /^\d/.test(first);
  return until((line, at) => {
    const next = line.trim() === "" ? (lines[at + 1] ?? "") : line;
    return next.startsWith("  ") || (ITEM.test(next) && /^\d/.test(next) === isOrdered);
  });
}

function block(lines: readonly string[], linkOf: LinkOf): Html {
  const [first = ""] = lines;
  const [, marks, heading = ""] = HEADING.exec(first) ?? [];
  if (marks !== undefined) return headingOf(marks.length, heading, linkOf);
  if (FENCE.test(first)) return html`<pre tabindex="0"><code>${lines.slice(1, -1).join("\n")}</code></pre>\n`;
  if (ROW.test(first)) return table(lines, linkOf);
  if (ITEM.test(first)) return list(lines, linkOf);
  return html`<p>${inline(lines.map((line) => line.trim()).join(" "), linkOf)}</p>\n`;
}

function headingOf(level: number, words: string, linkOf: LinkOf): Html {
  const name = inline(words, linkOf);
  if (level === 1) return html`<h1>${name}</h1>\n`;
  const id = anchorOf(words);
  return level === 2
    ? html`<h2 id="${id}"><a href="#${id}">${name}</a></h2>\n`
    : html`<h3 id="${id}"><a href="#${id}">${name}</a></h3>\n`;
}

function list(lines: readonly string[], linkOf: LinkOf): Html {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, "")]);
    else items.at(-1)?.push(line);
  }
  const indent = (ITEM.exec(lines[0] ?? "")?.[0] ?? "- ").length;
  const shown = items.map(([first = "", ...rest]) => {
    const inside = [
      first,
      ...rest.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))),
    ];
    const isSimple = !inside.some((line) => line.trim() === "");
    return isSimple
      ? html`<li>${inline(inside.join(" "), linkOf)}</li>\n`
      : html`<li>${blocks(inside, linkOf)}</li>\n`;
  });
  return /^\d/.test(lines[0] ?? "") ? html`<ol>\n${shown}</ol>\n` : html`<ul>\n${shown}</ul>\n`;
}

/** Heads may all be empty: then the table is one of names and what they mean. */
function table([head = "", , ...rows]: readonly string[], linkOf: LinkOf): Html {
  const heads = cells(head);
  const headRow = heads.every((one) => one === "")
    ? undefined
    : html`<thead><tr>${heads.map((one) => html`<th scope="col">${inline(one, linkOf)}</th>`)}</tr></thead>`;
  const body = rows.map(
    (row) => html`<tr>${cells(row).map((one) => html`<td>${inline(one, linkOf)}</td>`)}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0"><table>${headRow}<tbody>${body}</tbody></table></div>\n`;
}

function cells(row: string): readonly string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}
