import { isCommon, type SearchEntry } from "../../../browser/ui/find-entries.ts";
import { CODES_BY_ID } from "../../kernel/codes/catalogue.ts";
import { OUTCOME_DETAILS } from "../../kernel/codes/outcome-details.ts";
import { APPROVALS, DECLINES, type OutcomeName } from "../../kernel/codes/outcomes.ts";
import { CODES_PAGE } from "../../kernel/codes/present-code.ts";
import type { OpenApiDocument } from "../../platform/http/openapi-shape.ts";
import { anchorOf } from "../guides/anchor.ts";
import { ADDRESS, type DocsFile } from "../guides/docs-pages.ts";
import { CONVENTIONS } from "../reference/conventions.ts";
import { endpointsOf } from "../reference/endpoints.ts";

/** Whole programs and tables of figures: readers find them by the text around them, and their words would take 4 KB of the index. */
const PROGRAM = /^\s*```(?:python|php|go|java|text)$/;
const FIGURES = /^\|[^|]+\|(?: [\d,.]+ \|)+$/;

/** The part of a text that results show. */
const SHOWN = 80;

/** Every section of every guide, every operation, every rule and every code. */
export function searchEntries(files: readonly DocsFile[], document: OpenApiDocument): readonly SearchEntry[] {
  return [...files.flatMap(sectionsOf), ...operations(document), ...conventions(), ...codes()];
}

/** Lines are enough to find sections; parsing all guides as Markdown would block the process for 100 ms. */
function sectionsOf({ name, text }: DocsFile): readonly SearchEntry[] {
  const address = `${ADDRESS}/${name}`;
  const sections: { readonly title: string; readonly address: string; readonly lines: string[] }[] = [];
  let isCode = false;
  let isProgram = false;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) {
      isCode = !isCode;
      isProgram = PROGRAM.test(line);
    }
    const heading = isCode ? null : /^(#{1,3}) (.*)$/.exec(line);
    if (heading !== null) {
      const title = plainText(heading[2] ?? "");
      const isPage = heading[1] === "#";
      sections.push({ title, address: isPage ? address : `${address}#${anchorOf(title)}`, lines: [] });
    } else if (!isProgram && !FIGURES.test(line) && !/^\s*(```|<!--)/.test(line)) {
      sections.at(-1)?.lines.push(line);
    }
  }
  const page = sections[0]?.title ?? "";
  return sections.map(({ title, lines, ...section }, at) =>
    entryOf({ ...section, title, place: at === 0 ? "Guide" : page }, lines.join(" ")),
  );
}

function operations(document: OpenApiDocument): readonly SearchEntry[] {
  return endpointsOf(document).map(({ method, path, operation }) =>
    entryOf(
      {
        title: operation.summary,
        place: `${method} ${path}`,
        address: `${ADDRESS}#${operation.operationId}`,
      },
      `${operation.description ?? ""} ${operation.operationId}`,
    ),
  );
}

function conventions(): readonly SearchEntry[] {
  return CONVENTIONS.map(({ id, title, paragraphs }) =>
    entryOf(
      { title, place: "API reference", address: `${ADDRESS}#${id}` },
      paragraphs.filter((one) => typeof one === "string").join(" "),
    ),
  );
}

function codes(): readonly SearchEntry[] {
  const outcomes = Object.entries({ ...APPROVALS, ...DECLINES }).map(([message, id]) => ({
    id,
    message,
    meaning: OUTCOME_DETAILS[message as OutcomeName],
  }));
  const refusals = Object.entries(CODES_BY_ID).map(([id, code]) => ({ id, ...code }));
  return [...outcomes, ...refusals].map(({ id, message, meaning }) =>
    entryOf({ title: `${id} ${message}`, place: "Codes", address: `${CODES_PAGE}#${id}` }, meaning),
  );
}

type Heading = Pick<SearchEntry, "title" | "place" | "address">;

function entryOf(heading: Heading, markdown: string): SearchEntry {
  const text = plainText(markdown);
  const end = text.length <= SHOWN ? text.length : text.lastIndexOf(" ", SHOWN);
  const shown = text.slice(0, end);
  const known = new Set(wordsIn(`${heading.title} ${heading.place} ${shown}`));
  const words = new Set(
    wordsIn(text).filter((word) => word.length > 2 && !isCommon(word) && !known.has(word)),
  );
  // In order they compress better.
  const rest = [...words].sort().join(" ");
  return { ...heading, text: end < text.length ? `${shown}…` : shown, words: rest };
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Without the marks of Markdown: links become their words, tables their cells. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\|[-:| ]+\|/g, " ")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\||^\s*[-#>]\s/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
