/** How a language writes values. */
export type Syntax = {
  readonly scalar: (value: string | number | boolean | null) => string;
  /** The name of a field with what stands between it and its value. */
  readonly name: (name: string) => string;
  readonly object: readonly [open: string, close: string];
  readonly emptyObject: string;
};

/** Objects and lists of plain values up to this length stay on one line. */
const SHORT = 38;

const JSON_SYNTAX: Syntax = {
  scalar: (value) => JSON.stringify(value),
  name: (name) => `${JSON.stringify(name)}: `,
  object: ["{ ", " }"],
  emptyObject: "{}",
};

/** JSON for people: indented, but without a line for every bracket. */
export function jsonText(value: unknown, indent = ""): string {
  return literal(value, JSON_SYNTAX, indent);
}

/** A value of JSON as a language writes it, laid out for people. */
export function literal(value: unknown, syntax: Syntax, indent = ""): string {
  if (typeof value !== "object" || value === null) return syntax.scalar(value as null);
  const isList = Array.isArray(value);
  const [open, close] = isList ? (["[", "]"] as const) : syntax.object;
  const parts = (deeper: string) =>
    isList
      ? value.map((item) => literal(item, syntax, deeper))
      : Object.entries(value).map(([name, item]) => syntax.name(name) + literal(item, syntax, deeper));
  const flat = parts("").join(", ");
  if (flat === "") return isList ? "[]" : syntax.emptyObject;
  const isFlat = Object.values(value).every((item) => typeof item !== "object" || item === null);
  if (flat.length <= SHORT && isFlat) return open + flat + close;
  const deeper = `${indent}  `;
  return `${open.trim()}\n${parts(deeper)
    .map((part) => deeper + part)
    .join(",\n")}\n${indent}${close.trim()}`;
}
