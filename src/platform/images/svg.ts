import { createRequire } from "node:module";
import type { SaxesTagNS } from "saxes";
import { isSafeAttribute } from "./svg-attributes.ts";
import { isSafeCss } from "./svg-css.ts";
import { holdsTextOnly, isSafeElement, isSvg } from "./svg-elements.ts";

const load = createRequire(import.meta.url);

const DEPTH_MAX = 64;

/**
 * A DOCTYPE that only names a DTD, which is never fetched. Declarations in brackets can add entities and attributes, so the
 * brackets are empty.
 */
const PLAIN_DOCTYPE =
  /^\s+svg(?:\s+(?:SYSTEM|PUBLIC\s+(?:"[^"<>[\]]*"|'[^'<>[\]]*'))\s+(?:"[^"<>[\]]*"|'[^'<>[\]]*'))?\s*(?:\[\s*\]\s*)?$/;

/** HTML takes its DOCTYPE in any case, XML does not. */
const HTML_PAGE = /^\uFEFF?\s*<!doctype\s+html\b/i;

/** The parser stops at the first offence only when a handler throws. The message says what it is, for the merchant. */
class UnsafeSvg extends Error {}
class NotSvg extends Error {}

/**
 * `bytes_invalid`: not an SVG, or malformed. `svg_unsafe`: an SVG with something that runs, loads from elsewhere or is not
 * on the lists of what a logo needs. The first offence in the file decides.
 */
export function inspectSvg(bytes: Buffer): "bytes_invalid" | "svg_unsafe" | undefined {
  const offence = findOffence(bytes);
  if (offence === undefined) return undefined;
  return offence instanceof UnsafeSvg ? "svg_unsafe" : "bytes_invalid";
}

/** Why an SVG is refused, in one sentence that repeats nothing of the file. */
export function whyRefused(bytes: Buffer): string | undefined {
  const offence = findOffence(bytes);
  if (offence === undefined) return undefined;
  const isOurs = offence instanceof UnsafeSvg || offence instanceof NotSvg;
  return isOurs
    ? offence.message
    : "It is not well-formed XML in UTF-8, or uses an entity that XML does not define.";
}

function findOffence(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (HTML_PAGE.test(text)) return new NotSvg("Its DOCTYPE says `html`: it is an HTML page, not an SVG.");
    read(text);
    return undefined;
  } catch (error) {
    return error;
  }
}

function read(text: string): void {
  // Only merchants with a logo of this kind need the parser: it is loaded with the first.
  const { SaxesParser } = load("saxes") as typeof import("saxes");
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    forceXMLVersion: true,
    defaultXMLVersion: "1.0",
  });
  const open: SaxesTagNS[] = [];
  let css = "";

  const gatherCss = (part: string) => {
    const tag = open.at(-1);
    if (tag !== undefined && isSvg(tag, "style")) css += part;
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("xmldecl", ({ version, encoding = "utf-8" }) => {
    // A browser obeys the declared encoding, so it would read another text than this parser.
    if (version !== "1.0" || encoding.toLowerCase() !== "utf-8")
      throw new NotSvg("Its XML declaration names another version than 1.0 or another encoding than UTF-8.");
  });
  parser.on("doctype", (doctype) => {
    if (PLAIN_DOCTYPE.test(doctype)) return;
    if (!/^\s+svg(?![^\s[])/.test(doctype))
      throw new NotSvg("Its DOCTYPE names another kind of document than `svg`.");
    throw new UnsafeSvg(
      /\[\s*[^\s\]]/.test(doctype)
        ? "Its DOCTYPE declares entities or attributes; only a plain DOCTYPE is accepted."
        : "Its DOCTYPE is not plain; write `<!DOCTYPE svg>`, or the public or system name of a DTD after `svg`.",
    );
  });
  parser.on("processinginstruction", () => {
    throw new UnsafeSvg("It has a processing instruction, such as a link to a style sheet.");
  });
  parser.on("comment", (comment) => {
    // `<!-->` opens a comment in XML but is a complete one in HTML, where the rest would be markup.
    if (/^-?>/.test(comment)) throw new UnsafeSvg("It has a comment that begins with `>`.");
  });
  parser.on("opentag", (tag) => {
    const parent = open.at(-1);
    if (parent === undefined && !isSvg(tag, "svg"))
      throw new NotSvg("Its outermost element is not `svg` in the SVG namespace.");
    const offence = open.length >= DEPTH_MAX ? TOO_DEEP : offenceOf(tag, parent);
    if (offence !== undefined) throw new UnsafeSvg(offence);
    open.push(tag);
  });
  parser.on("text", gatherCss);
  parser.on("cdata", gatherCss);
  parser.on("closetag", (tag) => {
    open.pop();
    if (!isSvg(tag, "style")) return;
    if (!isSafeCss(css)) throw new UnsafeSvg(UNSAFE_STYLE);
    css = "";
  });

  parser.write(text).close();
}

const TOO_DEEP = `It nests elements more than ${DEPTH_MAX} deep.`;
const UNSAFE_STYLE =
  "A style or attribute loads something, or uses a function or rule that a logo does not need.";

function offenceOf(tag: SaxesTagNS, parent: SaxesTagNS | undefined): string | undefined {
  // A root `<x:svg>` is an SVG in XML but not in HTML, where a parser would read all of it by other rules.
  if (parent === undefined && tag.prefix !== "") return "Its outermost element has a prefix; write `<svg>`.";
  if (parent !== undefined && holdsTextOnly(parent))
    return "It has elements inside `title`, `desc` or `style`.";
  if (!isSafeElement(tag)) return elementOffence(tag.local.toLowerCase());
  const unsafe = Object.values(tag.attributes).find((attribute) => !isSafeAttribute(tag, attribute));
  return unsafe && attributeOffence(unsafe.local.toLowerCase());
}

/** Elements that people meet in logos; any other is not named, because the file is not repeated. */
const NAMED = [
  "script",
  "a",
  "animate",
  "animatetransform",
  "set",
  "foreignobject",
  "iframe",
  "video",
  "audio",
];

function elementOffence(name: string): string {
  return NAMED.includes(name)
    ? `It has an element \`${name}\`.`
    : "It has an element that a still drawing does not need, or one without a prefix that is not SVG.";
}

function attributeOffence(name: string): string {
  if (name.startsWith("on")) return "It has an event handler, an attribute that begins with `on`.";
  if (name === "href" || name === "src") return "It refers to something outside the file (`href` or `src`).";
  return UNSAFE_STYLE;
}
