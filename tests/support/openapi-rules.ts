import type { JsonSchema, OpenApiDocument, Operation } from "../../src/platform/http/openapi-shape.ts";

export type Placed = { readonly path: string; readonly method: string; readonly operation: Operation };

export function operationsOf(document: OpenApiDocument): readonly Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

const named = new WeakMap<OpenApiDocument, ReadonlyMap<string, Placed>>();

export function operationNamed(document: OpenApiDocument, operationId: string): Placed | undefined {
  const known = named.get(document);
  if (known !== undefined) return known.get(operationId);
  named.set(document, new Map(operationsOf(document).map((one) => [one.operation.operationId, one])));
  return operationNamed(document, operationId);
}

/** Violations of OpenAPI 3.1's structural rules, and what callers send without a description. Schemas are validated against their meta-schema elsewhere. */
export function documentProblems(document: OpenApiDocument): readonly string[] {
  const placed = operationsOf(document);
  return [
    ...(/^3\.1\.\d+$/.test(document.openapi) ? [] : ["not OpenAPI 3.1"]),
    ...["title", "version", "contact"]
      .filter((name) => !(name in document.info))
      .map((name) => `info lacks ${name}`),
    ...document.servers
      .map(({ variables }) => variables.baseUrl.default)
      .filter((url) => !URL.canParse(url))
      .map((url) => `server ${url} is no URL`),
    ...document.tags
      .filter(({ description }) => !/^.{20,}\.$/.test(description))
      .map(({ name }) => `the tag ${name} has no description`),
    ...patternsIn(document)
      .filter((pattern) => !isPortable(pattern))
      .map((pattern) => `the pattern ${pattern} does not read the same in every engine`),
    ...Object.keys(document.paths)
      .filter((path) => !path.startsWith("/"))
      .map((path) => `${path} does not start with a slash`),
    ...repeats(Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, "{}"))),
    ...repeats([
      ...placed.map(({ operation }) => operation.operationId),
      ...Object.values(document.webhooks).map(({ post }) => post.operationId),
    ]),
    ...placed.flatMap((one) => operationProblems(one, document)),
    ...Object.values(document.components)
      .flatMap((group) => Object.keys(group))
      .filter((name) => !/^[a-zA-Z0-9._-]+$/.test(name))
      .map((name) => `${name} is no valid component name`),
    ...referencesIn(document)
      .filter((reference) => target(document, reference) === undefined)
      .map((reference) => `${reference} does not resolve`),
  ];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

function operationProblems(
  { path, method, operation }: Placed,
  document: OpenApiDocument,
): readonly string[] {
  const parameters = operation.parameters.map((one) =>
    "$ref" in one ? target(document, one.$ref) : one,
  ) as {
    name: string;
    in: string;
    required: boolean;
    description?: string;
  }[];
  const bodies = Object.values(operation.requestBody?.content ?? {});
  const inPath = parameters.filter((one) => one.in === "path");
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const responses = Object.entries(operation.responses).map(
    ([status, one]) => [status, "$ref" in one ? target(document, one.$ref) : one] as const,
  );
  const problems = [
    ...(METHODS.includes(method) ? [] : ["no such method"]),
    ...(String(inPath.map((one) => one.name)) === String(wanted)
      ? []
      : ["path parameters differ from the path"]),
    ...(inPath.every((one) => one.required) ? [] : ["a path parameter is not required"]),
    ...(operation.description ? [] : ["there is no description"]),
    ...parameters
      .filter((one) => !one.description)
      .map((one) => `the parameter ${one.name} is not described`),
    ...bodies
      .flatMap(({ schema }) => undescribed(schema, document))
      .map((name) => `the field ${name} is not described`),
    ...repeats(parameters.map((one) => `${one.in} ${one.name}`)),
    ...responses
      .filter(([status, one]) => !/^[1-5]\d\d$/.test(status) || !has(one, "description"))
      .map(([status]) => `response ${status} is not described`),
    ...operation.tags
      .filter((tag) => !document.tags.some(({ name }) => name === tag))
      .map((tag) => `no tag ${tag}`),
    ...operation.security
      .flatMap((one) => Object.keys(one))
      .filter((name) => !(name in document.components.securitySchemes))
      .map((name) => `no security scheme ${name}`),
  ];
  return problems.map((problem) => `${method} ${path}: ${problem}`);
}

/** Fields without a description, at any depth. */
function undescribed(schema: JsonSchema, document: OpenApiDocument, path = ""): readonly string[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [] } = schema;
  if ($ref !== undefined) return undescribed(target(document, $ref) as JsonSchema, document, path);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}/${name}`]),
      ...undescribed(field, document, `${path}/${name}`),
    ]),
    ...[...(items === undefined ? [] : [items]), ...anyOf, ...oneOf].flatMap((one) =>
      undescribed(one, document, path),
    ),
  ];
}

/** Only what the engines of all languages read alike: no Unicode classes or escapes, no look-around, no back-references. */
function isPortable(pattern: string): boolean {
  const whole = new RegExp(pattern, "u");
  return !/\\[pPuk\d]|\(\?/.test(pattern) && new RegExp(pattern).source === whole.source;
}

function patternsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "pattern" in value && typeof value.pattern === "string" ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

function has(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && name in value;
}

function repeats(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is repeated`);
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

function target(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (place, name) => (has(place, name) ? (place as Record<string, unknown>)[name] : undefined),
      document,
    );
}
