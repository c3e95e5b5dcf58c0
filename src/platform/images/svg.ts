import { SaxesParser, type SaxesTagNS } from "saxes";
import { isSafeAttribute } from "./svg-attributes.ts";
import { isSafeCss } from "./svg-css.ts";
import { holdsTextOnly, isSafeElement, isSvg } from "./svg-elements.ts";

const DEPTH_MAX = 64;

/** A DOCTYPE that only names a DTD, which is never fetched. Declarations in brackets can add entities and attributes. */
const PLAIN_DOCTYPE =
  /^\s+svg(?:\s+(?:SYSTEM|PUBLIC\s+(?:"[^"<>[\]]*"|'[^'<>[\]]*'))\s+(?:"[^"<>[\]]*"|'[^'<>[\]]*'))?\s*$/;

/** The parser stops at the first offence only when a handler throws. */
class UnsafeSvg extends Error {}
class NotSvg extends Error {}

/**
 * `bytes_invalid`: not an SVG, or malformed. `svg_unsafe`: an SVG with something that runs, loads from elsewhere or is not
 * on the lists of what a logo needs. The first offence in the file decides.
 */
export function inspectSvg(bytes: Buffer): "bytes_invalid" | "svg_unsafe" | undefined {
  try {
    read(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return undefined;
  } catch (error) {
    return error instanceof UnsafeSvg ? "svg_unsafe" : "bytes_invalid";
  }
}

function read(text: string): void {
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
    if (version !== "1.0" || encoding.toLowerCase() !== "utf-8") throw new NotSvg();
  });
  parser.on("doctype", (doctype) => {
    if (!PLAIN_DOCTYPE.test(doctype)) throw new UnsafeSvg();
  });
  parser.on("processinginstruction", () => {
    throw new UnsafeSvg();
  });
  parser.on("comment", (comment) => {
    // `<!-->` opens a comment in XML but is a complete one in HTML, where the rest would be markup.
    if (/^-?>/.test(comment)) throw new UnsafeSvg();
  });
  parser.on("opentag", (tag) => {
    const parent = open.at(-1);
    if (parent === undefined && !isSvg(tag, "svg")) throw new NotSvg();
    if (!isAllowed(tag, parent) || open.length >= DEPTH_MAX) throw new UnsafeSvg();
    open.push(tag);
  });
  parser.on("text", gatherCss);
  parser.on("cdata", gatherCss);
  parser.on("closetag", (tag) => {
    open.pop();
    if (!isSvg(tag, "style")) return;
    if (!isSafeCss(css)) throw new UnsafeSvg();
    css = "";
  });

  parser.write(text).close();
}

function isAllowed(tag: SaxesTagNS, parent: SaxesTagNS | undefined): boolean {
  // A root `<x:svg>` is an SVG in XML but not in HTML, where a parser would read all of it by other rules.
  if (parent === undefined && tag.prefix !== "") return false;
  if (parent !== undefined && holdsTextOnly(parent)) return false;
  return (
    isSafeElement(tag) && Object.values(tag.attributes).every((attribute) => isSafeAttribute(tag, attribute))
  );
}
