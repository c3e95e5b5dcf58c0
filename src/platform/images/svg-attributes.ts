import type { SaxesAttributeNS, SaxesTagNS } from "saxes";
import { decodeBase64, readDataUri } from "./data-uri.ts";
import { isPng, isWebp } from "./raster.ts";
import { isSafeCss } from "./svg-css.ts";
import { isActiveNamespace, isSvg } from "./svg-elements.ts";

const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";
const XLINK_NAMESPACE = "http://www.w3.org/1999/xlink";
/** Without `xml:base`, which would turn `#mark` into a URL elsewhere. */
const XML_ATTRIBUTES: ReadonlySet<string> = new Set(["space", "lang", "id"]);
/** Names and remarks: not CSS, so any text is harmless. */
const PLAIN_TEXT = /^(?:id|class|role|lang|(?:data|aria)-.*)$/;

const embeddable: ReadonlyMap<string, (bytes: Buffer) => boolean> = new Map([
  ["image/png", isPng],
  ["image/webp", isWebp],
  ["image/jpeg", (bytes: Buffer) => bytes.toString("latin1", 0, 3) === "\xff\xd8\xff"],
  ["image/gif", (bytes: Buffer) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
]);

/** Names are compared in lower case: to XML `OnLoad` is not `onload`, but to an HTML parser it is. */
export function isSafeAttribute(tag: SaxesTagNS, attribute: SaxesAttributeNS): boolean {
  const { uri, value } = attribute;
  const local = attribute.local.toLowerCase();
  // The parser trims a namespace's URI and browsers do not, so each would see another vocabulary.
  if (uri === XMLNS_NAMESPACE) return value === value.trim();
  if (local.startsWith("on")) return false;
  if (local === "href" || local === "src") return isSafeReference(tag, value);
  if (uri === XML_NAMESPACE) return XML_ATTRIBUTES.has(attribute.local);
  if (uri === "") return PLAIN_TEXT.test(local) || isSafeCss(value);
  return uri === XLINK_NAMESPACE || !isActiveNamespace(uri);
}

/** A `#mark` in this drawing or, for `image` and `feImage`, an embedded picture. */
function isSafeReference(tag: SaxesTagNS, value: string): boolean {
  if (/^#[^\s"'()<>\\]+$/.test(value)) return true;
  return (isSvg(tag, "image") || isSvg(tag, "feImage")) && isEmbeddedPicture(value);
}

/** Exporters break long lines of base64, so white space is removed first. */
function isEmbeddedPicture(value: string): boolean {
  const uri = readDataUri(value.replace(/[ \t\r\n]+/g, ""));
  const isPicture = uri && embeddable.get(uri.mime);
  const bytes = uri && decodeBase64(uri.base64);
  return isPicture !== undefined && bytes !== undefined && isPicture(bytes);
}
