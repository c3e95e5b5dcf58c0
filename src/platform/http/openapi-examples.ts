import { plainSchema } from "./openapi-schemas.ts";
import type { JsonSchema } from "./openapi-shape.ts";
import type { RouteFacts } from "./route-codes.ts";

/** What was sent, by the text of the schema that answers it: examples of answers show the same values again. */
export type Echoes = ReadonlyMap<string, unknown>;

/** `verb` is the first word of the operation: the answer to a cancellation shows something cancelled. */
export type Occasion = { readonly echoes: Echoes; readonly verb: string };

const CREATED = "2026-03-02T01:15:00.000Z";
const A_DAY_LATER = "2026-03-03T01:15:00.000Z";
/** The body of every id in examples and in recorded answers. */
export const ID_BODY = "01k9zq4v7m0005h8xn2jd3ctewpfb";

/** Texts that a reader recognises; any other field shows its own name. */
const WORDS: Readonly<Record<string, string>> = {
  name: "Corner Shop",
  merchantName: "Corner Shop",
  email: "jXXXXXXXXXX@example.com",
  reference: "order-1001",
  token: "ott_5q0h8c2mxk7r1v9d4w3bnz6t",
};

export function echoesOf(routes: readonly RouteFacts[]): Echoes {
  return new Map(
    routes
      .filter((route) => route.example !== undefined)
      .map((route) => [JSON.stringify(plainSchema(route.answer)), route.example]),
  );
}

/** A value that the schema allows. Optional fields are there only when the echo has them. */
export function exampleOf(schema: JsonSchema, occasion: Occasion, given?: unknown, name = ""): unknown {
  const echo = occasion.echoes.get(JSON.stringify(schema)) ?? given;
  const { properties, items, anyOf } = schema;
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) {
    return schema.enum.find((one) => one === echo || one.startsWith(occasion.verb)) ?? schema.enum[0];
  }
  if (anyOf !== undefined) {
    const inner = anyOf.find((one) => one.type !== "null");
    const isNull = echo === undefined && anyOf.some((one) => one.type === "null");
    return inner === undefined || isNull ? null : exampleOf(inner, occasion, echo, name);
  }
  if (properties !== undefined) {
    const shown = Object.entries(properties).filter(
      ([field]) => schema.required?.includes(field) === true || fieldOf(echo, field) !== undefined,
    );
    return Object.fromEntries(
      shown.map(([field, inner]) => [field, exampleOf(inner, occasion, fieldOf(echo, field), field)]),
    );
  }
  if (items !== undefined) {
    const rows: readonly unknown[] = Array.isArray(echo) ? echo : hasName(items) ? [undefined] : [];
    return rows.map((row) => exampleOf(items, occasion, row, name));
  }
  return typeof echo === schema.type || (typeof echo === "number" && schema.type === "integer")
    ? echo
    : standIn(schema, name);
}

/** An empty list is a fine example of a list of texts, but not of a list of records. */
function hasName(items: JsonSchema): boolean {
  return items.properties !== undefined;
}

function standIn(schema: JsonSchema, name: string): unknown {
  if (schema.type === "integer" || schema.type === "number") return Math.max(1, schema.minimum ?? 1);
  if (schema.type === "boolean") return true;
  if (schema.type !== "string") return {};
  if (schema.format === "date-time") return name.startsWith("expiry") ? A_DAY_LATER : CREATED;
  const prefix = /^\^(\w+_)\[0-9a-z\]\+\$$/.exec(schema.pattern ?? "")?.[1];
  if (prefix !== undefined) return prefix + ID_BODY;
  return WORDS[name] ?? name;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
