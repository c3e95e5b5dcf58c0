/** Why a text is not accepted as JSON. `pointer` is the place, as a JSON pointer. */
export type JsonProblem =
  | { readonly kind: "malformed" }
  | { readonly kind: "too_deep" | "too_many" | "repeated_name"; readonly pointer: string };

export type ReadJson =
  | { readonly value: unknown; readonly problem?: never }
  | { readonly value?: never; readonly problem: JsonProblem };

/** An object or list in 31 others is accepted, one in 32 is not. */
export const JSON_DEPTH = 32;

/** Objects, lists, names and plain values together. The largest request that makes sense has fewer than a thousand. */
export const JSON_NODES = 10_000;

/**
 * Parses JSON from outside. Deep nesting overflows the stack of code that walks the value later, and of two fields with one
 * name the sender may have meant the other; both are refused here, before anything else sees the value.
 */
export function readJson(text: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: { kind: "malformed" } };
  }
  if (typeof value !== "object" || value === null) return { value };
  const count: Count = { nodes: 0, names: 0 };
  const excess = walk(value, 1, count);
  if (excess !== undefined) {
    return { problem: { kind: excess.kind, pointer: pointerTo(excess.path.toReversed()) } };
  }
  // The parser keeps one of several fields with the same name, so then the text has more names than the value.
  if (namesIn(text) === count.names) return { value };
  return { problem: { kind: "repeated_name", pointer: pointerTo(repeatedName(text)) } };
}

/** The value, or undefined when the text is not accepted: for callers that have one answer to every problem. */
export function jsonIn(text: string): unknown {
  const read = readJson(text);
  return read.problem === undefined ? read.value : undefined;
}

/** A list is none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Count = { nodes: number; names: number };

/** `path` begins with the innermost step. */
type Excess = { readonly kind: "too_deep" | "too_many"; readonly path: string[] };

function walk(value: object, depth: number, count: Count): Excess | undefined {
  if (depth > JSON_DEPTH) return { kind: "too_deep", path: [] };
  const steps = Array.isArray(value) ? undefined : Object.keys(value);
  const inner: readonly unknown[] = steps === undefined ? (value as unknown[]) : Object.values(value);
  count.nodes += inner.length;
  if (steps !== undefined) count.names += inner.length;
  if (count.nodes > JSON_NODES) return { kind: "too_many", path: [] };
  for (let index = 0; index < inner.length; index += 1) {
    const one = inner[index];
    if (typeof one !== "object" || one === null) continue;
    const excess = walk(one, depth + 1, count);
    if (excess === undefined) continue;
    excess.path.push(steps?.[index] ?? String(index));
    return excess;
  }
  return undefined;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Each name in valid JSON has one colon outside of texts. */
function namesIn(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === COLON) names += 1;
    else if (sign === QUOTE) at = endOfText(text, at);
  }
  return names;
}

/** It ends on any text: a mistake here must not hold up the process. */
function endOfText(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** The path of the first name that its object has already. Expects valid JSON; slow, because few requests need it. */
function repeatedName(text: string): readonly string[] {
  const open: { names: Set<string> | undefined; step: string | number }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const inside = open.at(-1);
    const sign = text[at];
    if (sign === "{") open.push({ names: new Set(), step: "" });
    else if (sign === "[") open.push({ names: undefined, step: 0 });
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign === "," && typeof inside?.step === "number") inside.step += 1;
    else if (sign === '"') {
      const end = endOfText(text, at);
      if (inside?.names !== undefined && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        inside.step = name;
        if (inside.names.has(name)) return open.map(({ step }) => String(step));
        inside.names.add(name);
      }
      at = end;
    }
  }
  return [];
}

/** Whether a colon follows the text that ends here. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return text.charCodeAt(at) === COLON;
}

function pointerTo(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The rest of a sentence whose subject is the text. */
export function describeJsonProblem(problem: JsonProblem): string {
  if (problem.kind === "malformed") return "is not JSON";
  const where = problem.pointer === "" ? "at its top" : `at ${problem.pointer}`;
  if (problem.kind === "repeated_name") return `has a name twice ${where}`;
  return problem.kind === "too_deep"
    ? `is nested deeper than ${JSON_DEPTH} levels ${where}`
    : `has more than ${JSON_NODES} values`;
}
