/** Objects and lists of plain values up to this length stay on one line. */
const SHORT = 38;

/** JSON for people: indented, but without a line for every bracket. */
export function jsonText(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const parts = (deeper: string) =>
    isList
      ? value.map((item) => jsonText(item, deeper))
      : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${jsonText(item, deeper)}`);
  const flat = parts("").join(", ");
  if (flat === "") return open + close;
  const room = isList ? "" : " ";
  const isFlat = Object.values(value).every((item) => typeof item !== "object" || item === null);
  if (flat.length <= SHORT && isFlat) return open + room + flat + room + close;
  const deeper = `${indent}  `;
  return `${open}\n${parts(deeper)
    .map((part) => deeper + part)
    .join(",\n")}\n${indent}${close}`;
}
