import { CODES_BY_ID, codeId } from "../../kernel/codes/catalogue.ts";
import { ERROR_SCHEMAS, sharedResponses } from "./openapi-errors.ts";
import { echoesOf } from "./openapi-examples.ts";
import { GROUPS } from "./openapi-groups.ts";
import { operationOf } from "./openapi-operation.ts";
import { componentSchemas, nameSchemas } from "./openapi-schemas.ts";
import type { OpenApiDocument, Parameter } from "./openapi-shape.ts";
import { webhookOperations } from "./openapi-webhooks.ts";
import type { RouteFacts } from "./route-codes.ts";

export type ApiInfo = { readonly version: string; readonly baseUrl: string };

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  IdempotencyKey: {
    name: "X-Idempotency-Key",
    in: "header",
    required: false,
    description: "Makes a repeat harmless: 1 to 255 visible ASCII characters, remembered at least 24 hours.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: "^[\\x21-\\x7e]+$",
      "x-code": codeId("header_idempotency_key_invalid"),
    },
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "An id of your own for this request, kept in the answer and in our logs.",
    schema: { type: "string", minLength: 1, maxLength: 64, pattern: "^[\\x21-\\x7e]+$" },
  },
};

const HEADERS = {
  "X-Request-Id": {
    description: "Names this request in our logs; your own where you sent one.",
    schema: { type: "string" },
  },
  "RateLimit-Limit": {
    description:
      "Requests a second that this API key may make. Where too many wrong keys came from your network: how many a second may.",
    schema: { type: "integer" },
  },
  "RateLimit-Remaining": {
    description: "Requests left right now, at most the limit; a burst may take more.",
    schema: { type: "integer" },
  },
  "RateLimit-Reset": {
    description: "Seconds until the allowance is full again; with 429, until the next request is taken.",
    schema: { type: "integer" },
  },
  "Content-Disposition": {
    description: "The answer is a file; its name follows the path, such as `transactions.csv`.",
    schema: { type: "string" },
  },
  "Retry-After": { description: "Seconds to wait before the next try.", schema: { type: "integer" } },
};

/** Describes the routes as an OpenAPI 3.1 document. The routes are the only source: what is described is what is checked. */
export function openApiDocument(routes: readonly RouteFacts[], info: ApiInfo): OpenApiDocument {
  const names = nameSchemas(routes);
  const echoes = echoesOf(routes);
  const paths = Map.groupBy(routes, (route) => route.path);
  const schemas = componentSchemas(names);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tidegate API",
      version: info.version,
      description:
        "Payments by card, wallet, direct debit and PayID: payment requests, one-time tokens for the embedded checkout, hosted payment pages, stored customers and instruments, refunds, disputes, payouts, webhooks and events.",
      contact: { name: "The operator of this gateway", url: `${info.baseUrl}/docs` },
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    // A variable, because linters object to a server on localhost, where every gateway begins.
    servers: [
      {
        url: "{baseUrl}",
        description: "This gateway.",
        variables: {
          baseUrl: { default: info.baseUrl, description: "Its address, without a slash at the end." },
        },
      },
    ],
    tags: [...new Set(routes.map((route) => route.group))].map((name) => ({
      name,
      description: GROUPS[name] ?? `${name}.`,
    })),
    paths: Object.fromEntries(
      [...paths].map(([path, sharing]) => [
        path,
        Object.fromEntries(
          sharing.map((route) => [route.method.toLowerCase(), operationOf(route, names, echoes)]),
        ),
      ]),
    ),
    webhooks: webhookOperations(schemas),
    components: {
      schemas: { ...schemas, ...ERROR_SCHEMAS },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedResponses(),
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-Api-Key",
          description: "A merchant's API key. Scopes: `read`, `write`, `admin`. It belongs on a server only.",
        },
      },
    },
    "x-codes": CODES_BY_ID,
  };
}
