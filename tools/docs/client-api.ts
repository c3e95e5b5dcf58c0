import { readFileSync } from "node:fs";
import { join } from "node:path";
import { API_ROUTES } from "../../src/app/routes.ts";
import { openApiDocument } from "../../src/platform/http/openapi.ts";
import {
  isReference,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from "../../src/platform/http/openapi-shape.ts";

const HEAD = `/**
 * All that the API description says, as TypeScript. Made from it by \`npm run docs\`; change the routes, not this file.
 */`;

/** The types of the client package, made from the same document that a running gateway serves. */
export function clientApi(): string {
  const manifest = join(import.meta.dirname, "../../packages/client/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  return clientApiOf(
    openApiDocument(API_ROUTES, { version: "1", baseUrl: "http://localhost:4000" }),
    version,
  );
}

export function clientApiOf(document: OpenApiDocument, version: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema, "")}export type ${name} = ${typeOf(schema, inBodies(name), "")};`,
  );
  const codes = Object.keys(document["x-codes"]).map((code) => `  | ${JSON.stringify(code)}`);
  const types = operations.map(({ operation }) => operationType(operation));
  const facts = operations.map(({ path, method, operation }) => {
    const items = listedField(document, operation);
    const more = items === undefined ? "" : `, items: ${JSON.stringify(items)}`;
    return `  ${operation.operationId}: { method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)}${more} },`;
  });
  return `${[
    HEAD,
    `/** The version of this package. */\nexport const VERSION = ${JSON.stringify(version)};`,
    `/** Every code of the catalogue. A newer gateway may have more. */\nexport type CodeId =\n${codes.join("\n")};`,
    ...schemas,
    `/** What each operation takes and answers. */\nexport type Operations = {\n${types.join("\n")}\n};`,
    `/** Where each operation is, and under which name a page has its rows. */\nexport const OPERATIONS = {\n${facts.join("\n")}\n} as const;`,
  ].join("\n\n")}\n`;
}

/** A body may name a field and leave it undefined, as code that builds one often does; JSON drops it. */
type Fields = { readonly undefinedIsFine: boolean };

function inBodies(name: string): Fields {
  return { undefinedIsFine: name.endsWith("Body") };
}

function operationType(operation: Operation): string {
  const body = operation.requestBody?.content["application/json"].schema;
  const query = operation.parameters.filter((one) => !isReference(one) && one.in === "query") as Parameter[];
  const answer = operation.responses["200"];
  if (answer === undefined || isReference(answer))
    throw new Error(`${operation.operationId} answers nothing`);
  const [described] = Object.values(answer.content);
  return `${comment({ description: operation.summary }, "  ")}  readonly ${operation.operationId}: {
    readonly body: ${body === undefined ? "undefined" : typeOf(body, { undefinedIsFine: true }, "    ")};
    readonly query: ${query.length === 0 ? "undefined" : queryType(query)};
    readonly answer: ${typeOf(described?.schema ?? {}, { undefinedIsFine: false }, "    ")};
  };`;
}

function queryType(parameters: readonly Parameter[]): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => {
      const shown = isWholeNumber(schema) ? { type: "integer" } : schema;
      return [name, { ...shown, ...(description === undefined ? {} : { description }) }];
    }),
  );
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return typeOf({ type: "object", properties, required }, { undefinedIsFine: true }, "    ");
}

/** In an address everything is a text; a pattern of nothing but digits means a number. */
function isWholeNumber({ pattern }: JsonSchema): boolean {
  return pattern !== undefined && /^\^[\d()[\]|?-]+\$$/.test(pattern);
}

/** The name of the rows of a page. */
function listedField({ components }: OpenApiDocument, operation: Operation): string | undefined {
  const answer = operation.responses["200"];
  if (answer === undefined || isReference(answer)) return undefined;
  const name = Object.values(answer.content)[0]?.schema.$ref?.split("/").at(-1) ?? "";
  const { properties = {} } = components.schemas[name] ?? {};
  if (properties["nextCursor"] === undefined) return undefined;
  return Object.entries(properties).find(([, schema]) => schema.type === "array")?.[0];
}

function typeOf(schema: JsonSchema, fields: Fields, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "never";
  if (schema.not !== undefined) return "never";
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, fields, indent)).join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `readonly ${itemType(schema.items ?? {}, fields, indent)}[]`;
    case "object":
      return objectType(schema, fields, indent);
    default:
      throw new Error(`a schema of no known type: ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

function objectType({ properties, required = [] }: JsonSchema, fields: Fields, indent: string): string {
  if (properties === undefined) return "Readonly<Record<string, unknown>>";
  if (Object.keys(properties).length === 0) return "Readonly<Record<string, never>>";
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const there = required.includes(name);
    const type = typeOf(schema, fields, inner) + (!there && fields.undefinedIsFine ? " | undefined" : "");
    return `${comment(schema, inner)}${inner}readonly ${keyOf(name)}${there ? "" : "?"}: ${type};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function itemType(items: JsonSchema, fields: Fields, indent: string): string {
  const type = typeOf(items, fields, indent);
  return items.anyOf === undefined && items.enum === undefined ? type : `(${type})`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** What is said of a field, and the limits that a type can't hold. */
function comment(schema: JsonSchema, indent: string): string {
  const limits = [
    schema.maxLength !== undefined && schema.maxLength < 2048
      ? `At most ${schema.maxLength} characters.`
      : "",
    schema.maxItems === undefined ? "" : `At most ${schema.maxItems}.`,
    schema.format === "date-time" ? "ISO 8601, UTC." : "",
  ];
  const text = [schema.description ?? "", ...limits].filter((one) => one !== "").join(" ");
  return text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "* /")} */\n`;
}
