import type { JsonSchema } from "../../platform/http/openapi-shape.ts";
import { LINES, PLAIN, VISIBLE } from "../../platform/http/schema.ts";
import { type Html, html, joined } from "./html.ts";

/** Links to the section that shows another schema. */
export type LinkTo = (reference: string) => Html;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "date and time",
  date: "day (yyyy-MM-dd)",
  email: "e-mail address",
  "web-url": "URL",
  "return-url": "URL",
  origin: "origin",
};

/** The type as a short text. */
export function typeOf(schema: JsonSchema, linkTo: LinkTo): Html {
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.not !== undefined) return html`never`;
  if (schema.anyOf !== undefined) {
    const parts = schema.anyOf.map((one) => (one.type === "null" ? html`null` : typeOf(one, linkTo)));
    return joined(parts, " or ");
  }
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((one) => html`<code>${one}</code>`),
      " | ",
    );
  if (schema.items !== undefined)
    return html`list of ${typeOf(schema.items, linkTo)}${schema.items.enum === undefined ? "s" : ""}`;
  return html`${FORMATS[schema.format ?? ""] ?? prefixOf(schema) ?? schema.type}`;
}

/** Patterns against control characters, which apply to every text, and against blank texts. */
const OF_TEXTS: readonly string[] = [PLAIN, VISIBLE, LINES];

/** The limits as text, without the patterns that many texts have. */
export function limitsOf(schema: JsonSchema): readonly string[] {
  const { items } = schema;
  return [
    lengths(schema),
    range(schema),
    amounts(schema),
    isInformative(schema) ? `matches \`${schema.pattern}\`` : undefined,
    schema.default === undefined ? undefined : `default \`${JSON.stringify(schema.default)}\``,
    items === undefined
      ? undefined
      : limitsOf(items)
          .map((limit) => `each ${limit}`)
          .join("; ") || undefined,
  ].filter((limit) => limit !== undefined);
}

function isInformative({ pattern, examples, ...schema }: JsonSchema): boolean {
  return (
    pattern !== undefined &&
    !OF_TEXTS.includes(pattern) &&
    examples === undefined &&
    prefixOf({ pattern, ...schema }) === undefined
  );
}

/** The pattern of an id in an answer contains its prefix. */
function prefixOf({ pattern }: JsonSchema): string | undefined {
  const prefix = /^\^(\w+_)\[0-9a-z\]\+\$$/.exec(pattern ?? "")?.[1];
  return prefix === undefined ? undefined : `id, begins with ${prefix}`;
}

/** The default limit of a formatted text. */
const DEFAULT_LENGTH = 2_048;

function lengths({ minLength, maxLength, pattern }: JsonSchema): string | undefined {
  if (maxLength === undefined || maxLength === DEFAULT_LENGTH) return undefined;
  if (minLength === undefined || minLength === 0) return `at most ${grouped(maxLength)} characters`;
  const blank = pattern === VISIBLE || pattern === LINES ? ", not only blanks" : "";
  return `${grouped(minLength)} to ${grouped(maxLength)} characters${blank}`;
}

function range({ minimum, maximum, exclusiveMinimum }: JsonSchema): string | undefined {
  if (exclusiveMinimum !== undefined) return `above ${exclusiveMinimum}`;
  if (minimum === undefined || maximum === undefined) return undefined;
  return `${grouped(minimum)} to ${grouped(maximum)}`;
}

function amounts({ minItems, maxItems, uniqueItems }: JsonSchema): string | undefined {
  if (maxItems === undefined) return undefined;
  const count =
    minItems === undefined || minItems === 0 ? `at most ${maxItems}` : `${minItems} to ${maxItems}`;
  return `${count} items${uniqueItems === true ? ", no repeats" : ""}`;
}

function grouped(value: number): string {
  return value.toLocaleString("en");
}
