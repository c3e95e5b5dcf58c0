/**
 * What a client would rather have, by its `Accept` header (RFC 9110, section 12.5.1): browsers name `text/html`, programs
 * name JSON or anything. Undefined: both alike.
 */
export function preferenceOf(accept: string | undefined): "html" | "json" | undefined {
  const ranges = (accept ?? "*/*").toLowerCase().split(",").flatMap(rangeOf);
  const [html, json] = [qualityOf("text/html", ranges), qualityOf("application/json", ranges)];
  if (html === json) return undefined;
  return html > json ? "html" : "json";
}

type Range = { readonly type: string; readonly quality: number };

/** A range with a parameter, such as `text/html;level=1`, counts as the range itself; one with a broken weight not at all. */
function rangeOf(text: string): readonly Range[] {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((one) => /^q\s*=/.test(one))?.replace(/^q\s*=\s*/, "") ?? "1";
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? [{ type, quality: Number(weight) }] : [];
}

/** The most exact range that includes the type decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.split("/", 1)[0] ?? ""}/*`;
  for (const name of [type, family, "*/*"]) {
    const found = ranges.filter((range) => range.type === name);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}
