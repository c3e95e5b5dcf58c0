import type { OpenApiDocument } from "../../../src/platform/http/openapi-shape.ts";
import type { Placed } from "../../support/openapi-rules.ts";
import type { Facts } from "./facts.ts";
import { ALWAYS_FITTED, fitted } from "./fitted.ts";
import type { FuzzRequest, Pair } from "./fuzz-request.ts";
import { generate, nearMisses, ODD, pickRecent, type Random, resolve, type Schema } from "./generate.ts";

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly required?: boolean;
};

/** Parameters of a query that name a resource, and the parameters of paths that name the same. */
const ID_FILTERS: Readonly<Record<string, readonly string[]>> = {
  transactionid: ["transactionId"],
  paymentrequestid: ["paymentRequestId"],
  customerid: ["customerId"],
  resourceid: ["paymentRequestId", "transactionOrRefundId", "customerId", "disputeId"],
};

/** A request for the operation: usually one that its description accepts, else one that is wrong in some places. */
export function requestOf(
  document: OpenApiDocument,
  { path, method, operation }: Placed,
  random: Random,
  facts: Facts,
): FuzzRequest {
  const { operationId } = operation;
  const params = paramsOf(path, random, facts);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = queryOf(document, operation, random, facts);
  const body = bodyOf(document, { path, method, operation }, random, facts);
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  return {
    operationId,
    method: method.toUpperCase(),
    path: filled + (text === "" ? "" : `?${text}`),
    params,
    query,
    ...(body === undefined ? {} : { body }),
    headers:
      method === "get" || random.chance(0.7) ? {} : { "x-idempotency-key": `fuzz-${random.below(2_000)}` },
  };
}

/** The parameters of an operation, with their place in the description. */
export function parametersOf(
  document: OpenApiDocument,
  operation: Placed["operation"],
): readonly (Parameter & { readonly index: number })[] {
  return operation.parameters.map((one, index) => {
    const parameter = "$ref" in one ? (resolve(document, one.$ref) as unknown as Parameter) : one;
    return { ...parameter, index };
  });
}

function paramsOf(path: string, random: Random, facts: Facts): Readonly<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const together = facts.pairs.get(names.at(-1) ?? "") ?? [];
  const pair = together.length > 0 && random.chance(0.9) ? pickRecent(together, random) : {};
  return Object.fromEntries(names.map((name) => [name, pair[name] ?? idFor(name, random, facts)]));
}

function queryOf(
  document: OpenApiDocument,
  operation: Placed["operation"],
  random: Random,
  facts: Facts,
): readonly Pair[] {
  const parameters = parametersOf(document, operation).filter((one) => one.in === "query");
  // Alone, so that nothing else is wrong.
  if (parameters.length > 0 && random.chance(0.2)) {
    const { name, schema } = random.pick(parameters);
    return pairsOf(name, random.pick<unknown>(nearMisses(schema)));
  }
  const query = parameters
    .filter((one) => one.required === true || random.chance(0.25))
    .flatMap(({ name, schema }): readonly Pair[] => {
      if (random.chance(0.05)) return pairsOf(name, random.pick(ODD));
      const known = name === "cursor" ? facts.cursors.get(operation.operationId) : undefined;
      if (known !== undefined && random.chance(0.8)) return [[name, random.pick(known).text]];
      const ids = ID_FILTERS[name.toLowerCase()]?.flatMap((place) => facts.ids.get(place) ?? []) ?? [];
      if (ids.length > 0 && random.chance(0.8)) return [[name, pickRecent(ids, random)]];
      return pairsOf(name, generate(schema, document, random));
    });
  if (random.chance(0.03)) return [...query, ["unknown", "1"]];
  const [first] = query;
  if (first === undefined || random.chance(0.95)) return query;
  return random.chance(0.5) ? [...query, first] : [[first[0].toUpperCase(), first[1]], ...query.slice(1)];
}

/** An object is written as `name[key]=value`. */
function pairsOf(name: string, value: unknown): readonly Pair[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, wellFormed(one)]);
  return [[name, wellFormed(value)]];
}

/** Half a surrogate pair has no place in a URL. */
function wellFormed(value: unknown): string {
  return String(value).toWellFormed();
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

function idFor(name: string, random: Random, { ids }: Facts): string {
  const real = ids.get(name) ?? [];
  if (real.length > 0 && random.chance(0.85)) return pickRecent(real, random);
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

function bodyOf(
  document: OpenApiDocument,
  { method, operation }: Placed,
  random: Random,
  facts: Facts,
): unknown {
  const described = operation.requestBody as
    | { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>> }
    | undefined;
  const content = described?.content["application/json"];
  if (content === undefined || method === "get")
    return random.chance(0.03) ? random.pick([{}, [], "x", { limit: 0 }]) : undefined;
  if (random.chance(0.03)) return random.chance(0.3) ? undefined : random.pick(ODD);
  const example = content.example !== undefined && random.chance(0.3);
  const made = example ? structuredClone(content.example) : generate(content.schema, document, random);
  const isFitted = ALWAYS_FITTED.has(operation.operationId) || random.chance(0.85);
  const valid = isFitted ? fitted(operation.operationId, made, random, facts) : made;
  return random.chance(0.3) ? mutated(valid, random) : valid;
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
