import { escapeText } from "../../src/kernel/escape-text.ts";

/** Markup made by `html`, so every text in it is escaped. */
export type Html = { readonly html: string };

type Part = Html | string | number | undefined | false | readonly Html[];

/** Escapes every value that was not made by `html`. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: fixed.reduce((before, piece, at) => before + fill(parts[at - 1]) + piece) };
}

function fill(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeText(String(part));
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

/** A text of a catalogue as markup, with its places filled by markup. */
export function phrase(text: string, parts: Readonly<Record<string, Html>>): Html {
  return { html: escapeText(text).replace(/{(\w+)}/g, (_, name: string) => fill(parts[name])) };
}
