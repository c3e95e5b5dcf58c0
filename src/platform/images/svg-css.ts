/** Functions that only draw. `url` is not among them: `url(#mark)` is removed before the check. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix calc min max clamp var
   matrix matrix3d translate translatex translatey translate3d scale scalex scaley scale3d
   rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective cubic-bezier steps
   blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
   circle ellipse inset path polygon rect xywh not is where nth-child nth-of-type`.split(/\s+/),
);
const AT_RULES: ReadonlySet<string> = new Set(["media", "supports", "keyframes", "-webkit-keyframes"]);

const LOCAL_URL = /url\(\s*(["']?)#[^\s"'()<>\\]+\1\s*\)/g;

/**
 * Whether this CSS (a sheet, a `style` attribute or the value of a presentation attribute) loads nothing. CSS loads only by
 * a function or an at-rule, so each of them must be on its list, in comments and strings too. A backslash could spell any
 * name, and no exporter writes one.
 */
export function isSafeCss(css: string): boolean {
  const rest = css.toLowerCase().replace(LOCAL_URL, " ");
  if (rest.includes("\\")) return false;
  return allListed(rest, /(?<![\w-])([\w-]+)\(/g, FUNCTIONS) && allListed(rest, /@([\w-]*)/g, AT_RULES);
}

function allListed(css: string, pattern: RegExp, allowed: ReadonlySet<string>): boolean {
  return css.matchAll(pattern).every(([, name = ""]) => allowed.has(name));
}
