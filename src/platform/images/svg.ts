import { SaxesParser, type SaxesTagNS } from "saxes";
import { isSafeAttribute } from "./svg-attributes.ts";
import { isSafeCss } from "./svg-css.ts";
import { holdsTextOnly, isSafeElement, isSvg } from "./svg-elements.ts";
import { type Drawn, drawnFrom, isLight } from "./svg-weight.ts";

type Open = { readonly tag: SaxesTagNS; readonly drawn: Drawn };

const DEPTH_MAX = 64;

/** Ends the reading at the first thing that we do not want; the parser has no other way to stop. */
class UnsafeSvg extends Error {}
class NotSvg extends Error {}

/**
 * Malformed or no SVG: `bytes_invalid`. An SVG that could run something, load something from elsewhere or draw without
 * end: `svg_unsafe`. Of several offences the first one in the file names the problem.
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
  const open: Open[] = [];
  let root: Drawn | undefined;
  let css = "";

  const gather = (part: string) => {
    const tag = open.at(-1)?.tag;
    if (tag !== undefined && isSvg(tag, "style")) css += part;
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("xmldecl", ({ version, encoding = "utf-8" }) => {
    // A browser would obey the declared encoding and so read another text than we did.
    if (version !== "1.0" || encoding.toLowerCase() !== "utf-8") throw new NotSvg();
  });
  parser.on("doctype", () => {
    throw new UnsafeSvg();
  });
  parser.on("processinginstruction", () => {
    throw new UnsafeSvg();
  });
  parser.on("comment", (comment) => {
    // `<!-->` begins a comment in XML and is a whole one in HTML, where the rest would come alive.
    if (/^-?>/.test(comment)) throw new UnsafeSvg();
  });
  parser.on("opentag", (tag) => {
    const parent = open.at(-1);
    if (parent === undefined && !isSvg(tag, "svg")) throw new NotSvg();
    if (!mayStand(tag, parent?.tag) || open.length >= DEPTH_MAX) throw new UnsafeSvg();
    const drawn = drawnFrom(tag);
    parent?.drawn.children.push(drawn);
    root ??= drawn;
    open.push({ tag, drawn });
  });
  parser.on("text", gather);
  parser.on("cdata", gather);
  parser.on("closetag", (tag) => {
    open.pop();
    if (!isSvg(tag, "style")) return;
    if (!isSafeCss(css)) throw new UnsafeSvg();
    css = "";
  });

  parser.write(text).close();
  if (root === undefined || !isLight(root)) throw new UnsafeSvg();
}

function mayStand(tag: SaxesTagNS, parent: SaxesTagNS | undefined): boolean {
  // A root `<x:svg>` is an SVG to XML but not to an HTML parser, which then reads all of it by other rules.
  if (parent === undefined && tag.prefix !== "") return false;
  if (parent !== undefined && holdsTextOnly(parent)) return false;
  return (
    isSafeElement(tag) && Object.values(tag.attributes).every((attribute) => isSafeAttribute(tag, attribute))
  );
}
