import type { SaxesTagNS } from "saxes";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const RDF_NAMESPACE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/** XHTML, MathML, XML Events, XInclude, XSLT, XBL, XUL, VML: vocabularies that some browser acts on. */
const ACTIVE_NAMESPACES = [
  "http://www.w3.org/",
  "https://www.w3.org/",
  "http://www.mozilla.org/",
  "urn:schemas-microsoft-com:",
];

/** What a still picture needs: no script, link, animation, sound or foreign content. */
const DRAWING: ReadonlySet<string> = new Set(
  `svg g defs symbol use switch view title desc metadata style
   path rect circle ellipse line polyline polygon image text tspan textPath
   linearGradient radialGradient stop pattern marker clipPath mask filter
   feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
   feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
   feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);
const ACTIVE_NAMES = /^(?:script|style|iframe|object|embed|foreignobject|handler|listener|set|animate\w*)$/i;

/** An HTML parser would read markup in `title` and `desc` as HTML. */
const TEXT_ONLY: ReadonlySet<string> = new Set(["title", "desc", "style"]);

export function isSvg(tag: SaxesTagNS, name: string): boolean {
  return tag.uri === SVG_NAMESPACE && tag.local === name;
}

export function holdsTextOnly(tag: SaxesTagNS): boolean {
  return tag.uri === SVG_NAMESPACE && TEXT_ONLY.has(tag.local);
}

/**
 * An SVG element must be on the list. An editor's element (`sodipodi:namedview`, `rdf:RDF`) is data that no browser draws,
 * but it needs a prefix: an HTML parser ignores namespaces and would take a name without prefix for one of HTML's.
 */
export function isSafeElement(tag: SaxesTagNS): boolean {
  if (tag.uri === SVG_NAMESPACE) return DRAWING.has(tag.local);
  return tag.prefix !== "" && !isActiveNamespace(tag.uri) && !ACTIVE_NAMES.test(tag.local);
}

export function isActiveNamespace(uri: string): boolean {
  if (uri === RDF_NAMESPACE) return false;
  const spelled = uri.toLowerCase();
  return ACTIVE_NAMESPACES.some((start) => spelled.startsWith(start));
}
