import { type CodeName, codeId } from "../../kernel/codes/catalogue.ts";
import { defined } from "../../kernel/defined.ts";
import { WELL_FORMED } from "./formats.ts";
import type { JsonSchema } from "./openapi-shape.ts";
import type { RouteFacts } from "./route-codes.ts";
import { CURSOR_OF, type Form, FREE_TEXT, type Schema } from "./schema.ts";

/** Schemas that have a name, by their text: wherever the same text comes up again, the name stands instead. */
export type NamedSchemas = ReadonlyMap<string, string>;

/** The schema as JSON has it and as callers need it: without what TypeBox keeps beside it, and with codes by number. */
export function plainSchema(schema: Schema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === FREE_TEXT || key === CURSOR_OF) return undefined;
    if (key === "x-code") return codeId(value as CodeName);
    if (key === "format" && value === WELL_FORMED) return undefined;
    return isPublishedOtherwise(value) ? publishedOf(value) : value;
  });
  return JSON.parse(text) as JsonSchema;
}

/** A schema that describes something else than it checks; see `wholeNumber`, `oneOfAnyCase` and `inForms`. */
type PublishedOtherwise = JsonSchema & {
  readonly "x-published"?: JsonSchema;
  readonly "x-forms"?: readonly Form[];
};

function isPublishedOtherwise(value: unknown): value is PublishedOtherwise {
  return typeof value === "object" && value !== null && ("x-published" in value || "x-forms" in value);
}

function publishedOf(schema: PublishedOtherwise): JsonSchema {
  const { "x-published": published, "x-forms": forms, description, "x-code": code, ...body } = schema;
  const own = defined({ description, "x-code": code });
  return published === undefined
    ? { ...own, oneOf: (forms ?? []).map((form) => formOf(body, form)) }
    : { ...published, ...own };
}

function formOf(body: JsonSchema, { title, about, needs, without, narrows = {} }: Form): JsonSchema {
  const schema = needs.reduce((made, path) => changed(made, path.split("."), require), body);
  const reduced = without.reduce((made, path) => changed(made, path.split("."), omit), schema);
  const narrowed = Object.entries(narrows).reduce(
    (made, [path, to]) => changed(made, path.split("."), narrow(to)),
    reduced,
  );
  return { title, description: about, ...narrowed };
}

type ChangeOfField = (schema: JsonSchema, name: string) => JsonSchema;

/** The schema with a change at the object that holds the last name of a path. */
function changed(
  schema: JsonSchema,
  [name = "", ...deeper]: readonly string[],
  change: ChangeOfField,
): JsonSchema {
  const inner = schema.properties?.[name];
  if (inner === undefined) throw new Error(`a form names ${name}, which the body does not have`);
  if (deeper.length === 0) return change(schema, name);
  return { ...schema, properties: { ...schema.properties, [name]: changed(inner, deeper, change) } };
}

const require: ChangeOfField = (schema, name) => ({
  ...schema,
  required: [...new Set([...(schema.required ?? []), name])],
});

const omit: ChangeOfField = (schema, name) => {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
};

const narrow =
  (to: object): ChangeOfField =>
  (schema, name) => {
    const field: PublishedOtherwise = schema.properties?.[name] ?? {};
    const published = field["x-published"];
    const narrowed = { ...field, ...to, ...(published && { "x-published": { ...published, ...to } }) };
    return { ...schema, properties: { ...schema.properties, [name]: narrowed } };
  };

/**
 * Names for the bodies and answers of all routes. An answer that several routes share has the name of its resource,
 * which is what its `get…` reads; a name that is taken by another schema falls back to the operation's own. An answer
 * that is one of several resources has no name of its own: theirs say what it is.
 */
export function nameSchemas(routes: readonly RouteFacts[]): NamedSchemas {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const give = (schema: Schema, ...wishes: readonly string[]) => {
    const plain = plainSchema(schema);
    if (plain.anyOf !== undefined) return;
    const text = textOf(plain);
    const name = wishes.find((wish) => !taken.has(wish));
    if (names.has(text)) return;
    if (name === undefined) throw new Error(`no name is left for a schema of ${wishes.join(", ")}`);
    names.set(text, name);
    taken.add(name);
  };
  for (const verb of ["get", "create", "list", ""]) {
    for (const { name, answer } of routes.filter((route) => route.name.startsWith(verb))) {
      const own = `${capital(name)}Answer`;
      if (verb === "") give(answer, own);
      else give(answer, name.slice(verb.length), own);
    }
  }
  for (const { name, body } of routes) if (body !== undefined) give(body, `${capital(name)}Body`);
  return names;
}

/** The schema with references in the place of everything that has a name, itself included. */
export function withReferences(schema: JsonSchema, names: NamedSchemas): JsonSchema {
  const name = names.get(textOf(schema));
  return name === undefined ? insideWithReferences(schema, names) : { $ref: `#/components/schemas/${name}` };
}

/** All named schemas, each written out once. */
export function componentSchemas(names: NamedSchemas): Readonly<Record<string, JsonSchema>> {
  const entries = [...names].map(
    ([text, name]) => [name, insideWithReferences(JSON.parse(text) as JsonSchema, names)] as const,
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function insideWithReferences(schema: JsonSchema, names: NamedSchemas): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema;
  const inside = (one: JsonSchema) => withReferences(one, names);
  return {
    ...schema,
    ...defined({
      properties: properties && mapValues(properties, inside),
      items: items && inside(items),
      anyOf: anyOf?.map(inside),
      oneOf: oneOf?.map(inside),
    }),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function textOf(schema: JsonSchema): string {
  return JSON.stringify(schema);
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
