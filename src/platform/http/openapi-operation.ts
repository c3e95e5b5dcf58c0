import { codeId } from "../../kernel/codes/catalogue.ts";
import { defined } from "../../kernel/defined.ts";
import { RECORDED_ANSWERS } from "./generated/recorded-answers.ts";
import { errorResponses } from "./openapi-errors.ts";
import { type Echoes, exampleOf } from "./openapi-examples.ts";
import { type NamedSchemas, plainSchema, withReferences } from "./openapi-schemas.ts";
import type { Content, JsonSchema, Operation, Parameter, Reference, Response } from "./openapi-shape.ts";
import { codesOf, type RouteFacts } from "./route-codes.ts";

/** One route as an operation of the description. */
export function operationOf(route: RouteFacts, names: NamedSchemas, echoes: Echoes): Operation {
  const changes = route.method !== "GET";
  return {
    operationId: route.name,
    tags: [route.group],
    summary: route.summary,
    description: route.about ?? `${route.summary}.`,
    security: [{ apiKey: [] }],
    "x-scope": route.scope,
    parameters: [
      ...pathParameters(route.path),
      ...queryParameters(route),
      ...(changes ? [parameter("IdempotencyKey")] : []),
      parameter("RequestId"),
    ],
    ...(changes ? { requestBody: requestBody(route, names) } : {}),
    responses: { 200: success(route, names, echoes), ...errorResponses(route) },
    "x-codes": codesOf(route).map(codeId).toSorted(),
    ...(route.sandboxOnly === true ? { "x-sandbox-only": true } : {}),
  };
}

function parameter(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: `Id of the ${wordsOf(name.replace(/Id$/, ""))}.`,
    schema: { type: "string" },
  }));
}

/** `paymentRequest` is a payment request. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim() || "resource";
}

function queryParameters(route: RouteFacts): readonly Parameter[] {
  if (route.query === undefined) return [];
  const { properties = {}, required = [] } = plainSchema(route.query);
  return Object.entries(properties).map(([name, { description, ...schema }]) =>
    defined({
      name,
      in: "query",
      required: required.includes(name),
      description,
      ...(schema.type === "object" ? ({ style: "deepObject", explode: true } as const) : {}),
      schema,
    }),
  );
}

/** A POST whose route has no body takes none, or an empty object. */
const EMPTY: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

function requestBody(route: RouteFacts, names: NamedSchemas): NonNullable<Operation["requestBody"]> {
  const schema = route.body === undefined ? EMPTY : withReferences(plainSchema(route.body), names);
  return {
    required: route.body !== undefined && route.bodyOptional !== true,
    content: {
      "application/json": defined({ schema, example: route.example }),
    },
  };
}

function success(route: RouteFacts, names: NamedSchemas, echoes: Echoes): Response {
  const schema = plainSchema(route.answer);
  const headers = [
    "X-Request-Id",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    ...(route.answers === "text/csv" ? ["Content-Disposition"] : []),
  ];
  return {
    description: "Done.",
    headers: Object.fromEntries(
      headers.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
    ),
    content: {
      [route.answers ?? "application/json"]: {
        schema: withReferences(schema, names),
        example:
          RECORDED_ANSWERS[route.name] ??
          exampleOf(schema, { echoes, verb: /^[a-z]+/.exec(route.name)?.[0] ?? route.name }),
      },
    } as unknown as Content,
  };
}
