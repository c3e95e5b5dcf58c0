import type { OpenApiDocument } from "../../../src/platform/http/openapi-shape.ts";
import type { Placed } from "../../support/openapi-rules.ts";
import { generate, ODD, type Random, resolve, type Schema } from "./generate.ts";

export type FuzzRequest = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly required?: boolean;
};

/** Ids that answers have named, by the name of the path's parameter. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

/** A request for the operation: usually one that its description accepts, else one that is wrong in some places. */
export function requestOf(
  document: OpenApiDocument,
  { path, method, operation }: Placed,
  random: Random,
  known: KnownIds,
): FuzzRequest {
  const parameters = ((operation.parameters ?? []) as readonly (Parameter | { readonly $ref: string })[]).map(
    (one) => ("$ref" in one ? (resolve(document, one.$ref) as unknown as Parameter) : one),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(idFor(name, random, known)),
  );
  const query = parameters
    .filter((one) => one.in === "query" && (one.required === true || random.chance(0.3)))
    .flatMap(({ name, schema }) =>
      queryOf(name, random.chance(0.1) ? random.pick(ODD) : generate(schema, document, random)),
    );
  if (random.chance(0.03)) query.push("unknown=1");
  const body = method === "get" ? undefined : bodyOf(document, operation, random);
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path: filled + (query.length === 0 ? "" : `?${query.join("&")}`),
    ...(body === undefined ? {} : { body }),
    headers:
      method === "get" || random.chance(0.7) ? {} : { "x-idempotency-key": `fuzz-${random.below(2_000)}` },
  };
}

function queryOf(name: string, value: unknown): string[] {
  // An object is written as `name[key]=value`.
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([key, one]) => `${name}[${encode(key)}]=${encode(String(one))}`);
  return [`${name}=${encode(String(value))}`];
}

/** Half a surrogate pair has no place in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function idFor(name: string, random: Random, known: KnownIds): string {
  const real = known.get(name) ?? [];
  if (real.length > 0 && random.chance(0.85)) return random.pick(real);
  return random.pick([
    "pr_0",
    "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "..",
    "x y",
    "%",
    "ü",
    "a".repeat(300),
    "null",
  ]);
}

function bodyOf(document: OpenApiDocument, operation: Placed["operation"], random: Random): unknown {
  const described = operation.requestBody as
    | { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>> }
    | undefined;
  const content = described?.content["application/json"];
  if (content === undefined) return random.chance(0.1) ? random.pick([{}, [], "x"]) : undefined;
  if (random.chance(0.03)) return random.pick(ODD);
  const example = content.example !== undefined && random.chance(0.3);
  const valid = example ? structuredClone(content.example) : generate(content.schema, document, random);
  return random.chance(0.35) ? mutated(valid, random) : valid;
}

/** Replaces, drops or adds a value somewhere. */
function mutated(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0 || random.chance(0.15))
    return random.pick(ODD);
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const name = random.pick(Object.keys(copy));
  const how = random.next();
  if (how < 0.7) copy[name] = mutated(copy[name], random);
  else if (how < 0.85) delete copy[name];
  else copy["extra"] = random.pick(ODD);
  return copy;
}
