import { FRAMINGS, type Framing } from "./framing.ts";

/** Settings of an account at an ISO 8583 host, checked. */
export type Iso8583Settings = {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSettings | null;
  readonly framing: Framing;
  /** A dialect of the gateway, or the path of the operator's dialect file. */
  readonly dialect: string;
  /** Field 32. */
  readonly acquirerId: string;
  /** Field 42. */
  readonly merchantId: string;
  /** Field 41. */
  readonly terminalId: string;
  /** Field 18. */
  readonly merchantCategoryCode: string;
  /** Field 43. */
  readonly nameLocation: string;
  readonly signOn: boolean;
  readonly echoSeconds: number;
  readonly responseSeconds: number;
  readonly maximumInFlight: number;
};

/** With certificate and key, the gateway identifies itself to the host. Without a CA file, the public ones count. */
export type TlsSettings = {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
};

export type SettingsOrProblems =
  | { readonly settings: Iso8583Settings }
  | { readonly problems: readonly string[] };

type Json = Readonly<Record<string, unknown>>;
/** Returns the value to use, or the problem. */
type Check = (value: unknown) => { readonly value: unknown } | { readonly problem: string };
type Rule = { readonly check: Check; readonly otherwise?: unknown };

const RULES: Readonly<Record<keyof Iso8583Settings, Rule>> = {
  host: { check: text(/^[^\s/]{1,253}$/, "a host name or address") },
  port: { check: whole(1, 65_535) },
  tls: { check: checkTls, otherwise: null },
  framing: { check: oneOf(FRAMINGS), otherwise: "binary2" },
  dialect: { check: text(/^\P{Cc}{1,1024}$/u, "a dialect's name or the path of a dialect file") },
  acquirerId: { check: text(/^[0-9]{1,11}$/, "1 to 11 digits") },
  merchantId: { check: text(/^[\x21-\x7e][\x20-\x7e]{0,14}$/, "1 to 15 printable characters") },
  terminalId: { check: text(/^[\x21-\x7e][\x20-\x7e]{0,7}$/, "1 to 8 printable characters") },
  merchantCategoryCode: { check: text(/^[0-9]{4}$/, "4 digits") },
  nameLocation: { check: text(/^[\x20-\x7e]{1,40}$/, "1 to 40 printable characters") },
  signOn: { check: flag, otherwise: true },
  echoSeconds: { check: whole(1, 3_600), otherwise: 60 },
  responseSeconds: { check: whole(1, 120), otherwise: 15 },
  maximumInFlight: { check: whole(1, 1_000), otherwise: 64 },
};

/** Checks the settings of an account: one line per problem, and a setting that does not exist is one. */
export function checkSettings(value: unknown): SettingsOrProblems {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problems: ["settings must be a JSON object"] };
  }
  const given = value as Json;
  const problems = Object.keys(given)
    .filter((key) => !Object.hasOwn(RULES, key))
    .map((key) => `${key} is not a setting of the connector iso8583`);
  const settings: Record<string, unknown> = {};
  for (const [key, rule] of Object.entries(RULES)) {
    if (given[key] === undefined) {
      if (rule.otherwise === undefined) problems.push(`${key} is missing`);
      settings[key] = rule.otherwise;
      continue;
    }
    const checked = rule.check(given[key]);
    if ("problem" in checked) problems.push(`${key} ${checked.problem}`);
    else settings[key] = checked.value;
  }
  return problems.length > 0 ? { problems } : { settings: settings as unknown as Iso8583Settings };
}

function text(pattern: RegExp, words: string): Check {
  return (value) =>
    typeof value === "string" && pattern.test(value) ? { value } : { problem: `must be ${words}` };
}

function whole(lowest: number, highest: number): Check {
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= lowest && value <= highest
      ? { value }
      : { problem: `must be a whole number from ${lowest} to ${highest}` };
}

function oneOf(names: readonly string[]): Check {
  return (value) =>
    typeof value === "string" && names.includes(value)
      ? { value }
      : { problem: `must be one of ${names.join(", ")}` };
}

function flag(value: unknown): ReturnType<Check> {
  return typeof value === "boolean" ? { value } : { problem: "must be true or false" };
}

const TLS_KEYS: readonly string[] = ["caFile", "certFile", "keyFile"];

function checkTls(value: unknown): ReturnType<Check> {
  if (value === null) return { value };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { problem: `must be an object with ${TLS_KEYS.join(", ")}` };
  }
  for (const [key, path] of Object.entries(value)) {
    if (!TLS_KEYS.includes(key)) return { problem: `has no setting ${key}` };
    if (typeof path !== "string" || path === "") return { problem: `needs the path of a file in ${key}` };
  }
  if ("certFile" in value !== "keyFile" in value) return { problem: "needs certFile and keyFile together" };
  return { value };
}
