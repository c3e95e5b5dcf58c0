/** What a drawing needs. `url` is not among them: only `url(#…)` is fine, and that one is taken out first. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix calc min max clamp var
   matrix matrix3d translate translatex translatey translate3d scale scalex scaley scale3d
   rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective cubic-bezier steps
   blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
   circle ellipse inset path polygon rect xywh not is where nth-child nth-of-type`.split(/\s+/),
);
const AT_RULES: ReadonlySet<string> = new Set(["media", "supports", "keyframes", "-webkit-keyframes"]);

const LOCAL_URL = /url\(\s*(["']?)#[^\s"'()<>\\]+\1\s*\)/g;
/** A backslash can write any of these words so that no search finds it. No exporter needs one. */
const FORBIDDEN =
  /\\|(?:java|vb)script:|-moz-binding|(?<![\w-])behavior\s*:|(?:url|src|image-set|expression)\s+\(/;

/**
 * Whether this CSS (a sheet, a `style` attribute, or the value of a presentation attribute) can only draw. Functions and
 * at-rules are an allow-list, so what browsers learn to load from tomorrow is refused today.
 */
export function isSafeCss(css: string): boolean {
  const written = css.toLowerCase();
  const bare = withoutComments(written);
  // Both ways: a comment may split a word, and what looks like a comment may lie inside a string.
  return bare !== undefined && isSafeText(written) && isSafeText(bare);
}

function isSafeText(css: string): boolean {
  if (FORBIDDEN.test(css)) return false;
  const rest = css.replace(LOCAL_URL, " ");
  return allNamed(rest, /(?<![\w-])([\w-]+)\(/g, FUNCTIONS) && allNamed(rest, /@([\w-]*)/g, AT_RULES);
}

function allNamed(css: string, pattern: RegExp, allowed: ReadonlySet<string>): boolean {
  return css.matchAll(pattern).every(([, name = ""]) => allowed.has(name));
}

/** Undefined when a comment is not closed. By `indexOf`, because a lazy regular expression is quadratic here. */
function withoutComments(css: string): string | undefined {
  let bare = "";
  let at = 0;
  for (let start = css.indexOf("/*"); start >= 0; start = css.indexOf("/*", at)) {
    const end = css.indexOf("*/", start + 2);
    if (end < 0) return undefined;
    bare += css.slice(at, start);
    at = end + 2;
  }
  return bare + css.slice(at);
}
