import { readFile } from "node:fs/promises";
import { describeJsonProblem, isObject, readJson } from "../../kernel/json.ts";
import { type Dialect, type FieldRule, FORMATS, LENGTHS } from "./dialect.ts";
import { DIALECTS } from "./iso87.ts";

/** The longest dialect file that is read. */
const LONGEST_FILE = 262_144;
const KEYS: readonly string[] = ["name", "base", "header", "messageType", "bitmap", "fields"];
const RULE_KEYS: readonly string[] = ["format", "length", "maximum", "digits", "bytes", "prefix", "pad"];
/** Fields that the connector writes or reads; without one of them no payment is possible. */
const NEEDED: readonly number[] = [
  2, 3, 4, 7, 11, 12, 13, 14, 18, 22, 25, 32, 37, 38, 39, 41, 42, 43, 48, 49, 70, 90,
];
const LONGEST_LENGTH: Readonly<Record<FieldRule["length"], number>> = { fixed: 999, ll: 99, lll: 999 };

export type DialectOrProblems = { readonly dialect: Dialect } | { readonly problems: readonly string[] };

/** The dialect of an account's settings: one that comes with the gateway, or the operator's file. */
export async function openDialect(nameOrPath: string): Promise<DialectOrProblems> {
  const known = DIALECTS.get(nameOrPath);
  if (known !== undefined) return { dialect: known };
  const where = `dialect file ${nameOrPath}`;
  let text: string;
  try {
    text = await readFile(nameOrPath, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown error";
    return { problems: [`${where} cannot be read (${reason}); the gateway knows ${names()}`] };
  }
  if (text.length > LONGEST_FILE) return { problems: [`${where} is longer than ${LONGEST_FILE} characters`] };
  const { value, problem } = readJson(text);
  if (problem !== undefined) return { problems: [`${where} ${describeJsonProblem(problem)}`] };
  const checked = checkDialect(value);
  return "dialect" in checked
    ? checked
    : { problems: checked.problems.map((problem) => `${where}: ${problem}`) };
}

/** Checks a dialect of the operator's own: a base, and what differs from it. One line per problem. */
export function checkDialect(value: unknown): DialectOrProblems {
  if (!isObject(value)) return { problems: ["a dialect is a JSON object"] };
  const problems: string[] = unknownKeys(value, KEYS, "");
  const base = typeof value["base"] === "string" ? DIALECTS.get(value["base"]) : undefined;
  if (base === undefined) problems.push(`base must be one of ${names()}`);
  const { name, header = "", fields = {} } = value;
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9-]{0,39}$/.test(name) || DIALECTS.has(name)) {
    problems.push("name must be of its own: 1 to 40 lower-case letters, digits and hyphens");
  }
  if (typeof header !== "string" || !/^(?:[0-9A-Fa-f]{2}){0,64}$/.test(header)) {
    problems.push("header must be hex digits of at most 64 bytes");
  }
  const messageType =
    choice(value["messageType"], "messageType", ["ascii", "packed"], problems) ?? base?.messageType;
  const bitmap = choice(value["bitmap"], "bitmap", ["hex", "raw"], problems) ?? base?.bitmap;
  if (!isObject(fields))
    problems.push("fields must be an object: field number to rule, or null to remove it");
  const rules = base && isObject(fields) ? checkFields(fields, base, problems) : undefined;
  if (problems.length > 0 || !messageType || !bitmap || !rules) return { problems };
  return { dialect: { name: String(name), header: String(header), messageType, bitmap, fields: rules } };
}

type Json = Readonly<Record<string, unknown>>;

function checkFields(fields: Json, base: Dialect, problems: string[]): ReadonlyMap<number, FieldRule> {
  const rules = new Map(base.fields);
  for (const [key, value] of Object.entries(fields)) {
    const field = Number(key);
    const at = `fields.${key}`;
    if (!/^[1-9][0-9]{0,2}$/.test(key) || field < 2 || field > 128) {
      problems.push(`${at} is not a field: 2 to 128`);
    } else if (value === null) {
      rules.delete(field);
    } else if (isObject(value)) {
      const rule = checkRule(value, rules.get(field), at, problems);
      if (rule !== undefined) rules.set(field, rule);
    } else {
      problems.push(`${at} must be a rule, or null to remove the field`);
    }
  }
  const missing = NEEDED.filter((field) => !rules.has(field));
  if (missing.length > 0)
    problems.push(`the connector needs ${missing.map((field) => `field ${field}`).join(", ")}`);
  return rules;
}

/** A rule may leave out what it shares with the base's rule of the same field. */
function checkRule(
  value: Json,
  base: FieldRule | undefined,
  at: string,
  problems: string[],
): FieldRule | undefined {
  const before = problems.length;
  problems.push(...unknownKeys(value, RULE_KEYS, `${at}.`));
  const within = (key: string) => `${at}.${key}`;
  const pick = <T extends string>(key: string, allowed: readonly T[], otherwise: T | undefined) => {
    const chosen = choice(value[key], within(key), allowed, problems) ?? otherwise;
    if (chosen === undefined && value[key] === undefined) problems.push(`${within(key)} is missing`);
    return chosen;
  };
  const format = pick("format", FORMATS, base?.format);
  const length = pick("length", LENGTHS, base?.length);
  const digits = pick("digits", ["ascii", "packed"], base?.digits ?? "ascii");
  const bytes = pick("bytes", ["hex", "raw"], base?.bytes ?? "hex");
  const prefix = pick("prefix", ["ascii", "packed"], base?.prefix ?? "ascii");
  const pad = pick("pad", ["left", "right"], base?.pad ?? (length === "fixed" ? "left" : "right"));
  const maximum = value["maximum"] ?? base?.maximum;
  const longest = LONGEST_LENGTH[length ?? "fixed"];
  if (typeof maximum !== "number" || !Number.isInteger(maximum) || maximum < 1 || maximum > longest) {
    problems.push(`${within("maximum")} must be a whole number from 1 to ${longest}`);
  }
  if (problems.length > before || !format || !length || !digits || !bytes || !prefix || !pad)
    return undefined;
  return { format, length, maximum: Number(maximum), digits, bytes, prefix, pad };
}

/** One of the allowed texts; undefined where there is none. */
function choice<T extends string>(
  given: unknown,
  at: string,
  allowed: readonly T[],
  problems: string[],
): T | undefined {
  const chosen = allowed.find((name) => name === given);
  if (chosen === undefined && given !== undefined)
    problems.push(`${at} must be one of ${allowed.join(", ")}`);
  return chosen;
}

function unknownKeys(value: Json, known: readonly string[], prefix: string): string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${prefix}${key} is not a setting`);
}

function names(): string {
  return [...DIALECTS.keys()].join(", ");
}
