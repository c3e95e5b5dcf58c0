/** What the generator reads of a JSON schema; the gateway's description has nothing else. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
};

export type Random = {
  /** From 0 to 1. */
  readonly next: () => number;
  readonly below: (limit: number) => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  readonly chance: (of: number) => boolean;
  /** The merchant's clock: some times lie near it. */
  readonly now: () => number;
};

export function randomOf(next: () => number, now: () => number): Random {
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (values) => values[below(values.length)] as never,
    chance: (of) => next() < of,
    now,
  };
}

/** Often one of the last: what is new can be changed more often. */
export function pickRecent<Value>(values: readonly Value[], random: Random): Value {
  return random.pick(random.chance(0.5) ? values.slice(-10) : values);
}

/** Values that no schema of ours takes in most places. */
export const ODD: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    "",
    " ",
    "\u3000\u200b",
    "x",
    "9".repeat(300),
    [],
    {},
    [null],
    [[]],
  ],
  ...["\u0000", "\ud800", "__proto__", "4111111111111111", "<script>", "' or 1=1 --", "💳".repeat(80), "%00"],
  ...[{ constructor: 1 }, { a: { b: { c: [] } } }, Array.from({ length: 60 }, () => 1)],
];

const TEXTS = [
  "a",
  "order-1",
  "Ann Lee",
  "Zoë 🥨",
  "x".repeat(64),
  "x".repeat(65),
  "x".repeat(255),
  "-",
  "0",
];
/** Loopback and addresses only: nothing is looked up or called outside this machine. */
const URLS = [
  "https://127.0.0.1/a",
  "http://127.0.0.1:9/hook",
  "https://[::1]/b",
  "https://10.0.0.1/",
  "myapp://x",
];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  "date-time": [
    ...["2026-01-01T00:00:00.000Z", "2030-06-01T12:00:00Z", "1969-12-31T23:59:59Z", "2026-02-30T00:00:00Z"],
    ...["9999-12-31T23:59:59.999Z", "2026-11-16T10:00:00+11:00"],
  ],
  date: ["2026-01-01", "2030-12-31", "2027-02-29", "0001-01-01"],
  email: ["ann@example.com", "a@b", "x@y.example", `${"l".repeat(64)}@shop.example`],
  "web-url": URLS,
  "return-url": URLS,
  origin: ["https://shop.example", "http://localhost:3000", "https://shop.example/path"],
  cursor: ["abc", "AAAA", ""],
};
const MINUTE = 60_000;
const DAY = 24 * 60;
/** Minutes from now: a payment request lives for one minute to 90 days. */
const NEAR = [-400 * DAY, -DAY, -60, -1, 0.5, 2, 60, 3 * DAY, 89 * DAY, 91 * DAY, 400 * DAY];
const PATTERNED: readonly string[] = [
  ...["en", "en-AU", "zh-Hans", "x-1", "order_1.a-b", "payid-1", "123", "1234", "062000", "12345678"],
  ...["12-3140-0171323-50", "123456789012345", "1", "20", "100", "key-1"],
];

/** In the patterns of texts that are free otherwise. */
const NO_CONTROLS = "\\x00-\\x1f";

/** Makes a value that the schema describes, mostly; formats and rules between fields decide the rest. */
export function generate(schema: Schema, root: object, random: Random, depth = 0): unknown {
  const { $ref } = schema;
  if ($ref !== undefined) return generate(resolve(root, $ref), root, random, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return generate(random.pick(choices), root, random, depth);
  switch (schema.type) {
    case "object":
      return objectOf(schema, root, random, depth);
    case "array":
      return listOf(schema, root, random, depth);
    case "integer":
    case "number":
      return numberOf(schema, random);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "string":
      return textOf(schema, random);
    default:
      return random.pick(ODD);
  }
}

/** Texts that just miss what the schema of a query's parameter describes, and for some schemas just meet it. */
export function nearMisses({ type, minimum = 0, maximum = 0, enum: among, maxLength, format }: Schema) {
  if (type === "integer")
    return [minimum - 1, maximum + 1, `0${minimum}`, `+${minimum}`, `${minimum}.0`, `${minimum} `, "1e1"];
  const [word] = among ?? [];
  if (typeof word === "string") return [word.toUpperCase(), `${word} `, `${word},${word}`, ""];
  if (format === "date-time") return ["2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "now", ""];
  return maxLength === undefined ? [""] : ["", "x".repeat(maxLength), "x".repeat(maxLength + 1), "a\u0007"];
}

export function resolve(root: object, ref: string): Schema {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], root) as Schema;
}

function objectOf(schema: Schema, root: object, random: Random, depth: number): object {
  const made: Record<string, unknown> = {};
  const required = new Set(schema.required ?? []);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (required.has(name) || random.chance(depth === 0 ? 0.35 : 0.5))
      made[name] = generate(property, root, random, depth + 1);
  }
  const { additionalProperties: more } = schema;
  if (typeof more === "object") {
    const names = Array.from(
      { length: random.below(Math.min(schema.maxProperties ?? 3, 22)) },
      (_, n) => `k${n}`,
    );
    for (const name of names) made[name] = generate(more, root, random, depth + 1);
  }
  return made;
}

function listOf(schema: Schema, root: object, random: Random, depth: number): readonly unknown[] {
  const [least, most] = [schema.minItems ?? 0, schema.maxItems ?? 3];
  const length = least + random.below(Math.min(most - least, 3) + 1);
  return Array.from({ length }, () => generate(schema.items ?? {}, root, random, depth + 1));
}

/** The sandbox's scenarios begin at 11000. */
const AMOUNTS = [1, 100, 3000, 11_000, 11_005, 12_000, 14_405, 14_410, 14_451, 14_481, 14_490];

function numberOf({ type, minimum, exclusiveMinimum, maximum }: Schema, random: Random): number {
  const least = minimum ?? exclusiveMinimum ?? 0;
  const most = maximum ?? 99_999_999_999;
  const inRange = AMOUNTS.filter((amount) => amount >= least && amount <= most);
  const edges = [least, least + 1, most, most - 1];
  if (inRange.length > 0 && random.chance(0.7)) return random.pick(inRange);
  if (random.chance(0.5)) return random.pick(edges);
  const any = least + random.next() * Math.min(most - least, 1_000);
  return type === "integer" ? Math.floor(any) : Math.round(any * 1_000) / 1_000;
}

function textOf({ format, pattern, minLength = 0, maxLength = 64 }: Schema, random: Random): string {
  if ((format === "date-time" || format === "date") && random.chance(0.5)) {
    const near = new Date(random.now() + random.pick(NEAR) * MINUTE).toISOString();
    return format === "date" ? near.slice(0, 10) : near;
  }
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return random.pick(known);
  if (pattern !== undefined && !pattern.includes(NO_CONTROLS)) {
    const matcher = new RegExp(pattern);
    const fitting = PATTERNED.filter((text) => matcher.test(text));
    if (fitting.length > 0) return random.pick(fitting);
  }
  const fitting = TEXTS.filter(({ length }) => length >= minLength && length <= maxLength);
  if (fitting.length > 0 && random.chance(0.9)) return random.pick(fitting);
  return "x".repeat(random.pick([minLength, maxLength, maxLength + 1]));
}
