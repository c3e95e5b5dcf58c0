import type { CodeId, PublishedCode } from "../../kernel/codes/catalogue.ts";
import type { Scope } from "./route.ts";

/** The part of OpenAPI 3.1 that we write, so that code which reads the document back is typed. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  /** The forms of a body, each with a title. */
  readonly oneOf?: readonly JsonSchema[];
  /** Only ever `{}`: a field that is never taken. */
  readonly not?: object;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly "x-code"?: CodeId;
};

export type Reference = { readonly $ref: string };

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  /** How an object is sent: `metadata[key]=value`. */
  readonly style?: "deepObject";
  readonly explode?: true;
  readonly schema: JsonSchema;
};

export type Described = { readonly schema: JsonSchema; readonly example?: unknown };

/** By type: JSON almost everywhere, and never more than one. */
export type Content = { readonly "application/json": Described };

/** What an answer or a body is, whatever its type. */
export function describedIn(content: Content): Described {
  const [described] = Object.values(content);
  if (described === undefined) throw new Error("a content without a type");
  return described;
}

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Content;
  readonly "x-codes"?: readonly CodeId[];
};

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly [{ readonly apiKey: readonly [] }];
  /** The scope that the key needs. */
  readonly "x-scope": Scope;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly "x-codes": readonly CodeId[];
  readonly "x-sandbox-only"?: true;
};

/** A request of ours to a merchant's endpoint. */
export type WebhookOperation = Pick<Operation, "operationId" | "tags" | "summary" | "description"> & {
  /** It carries no API key. */
  readonly security: readonly [];
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
};

export type OpenApiDocument = {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly [
    {
      readonly url: "{baseUrl}";
      readonly description: string;
      readonly variables: { readonly baseUrl: { readonly default: string; readonly description: string } };
    },
  ];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** By event value. */
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  /** What every code means. */
  readonly "x-codes": Readonly<Record<string, PublishedCode>>;
};

export function isReference(value: object): value is Reference {
  return "$ref" in value;
}
