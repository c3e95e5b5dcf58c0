import type { OpenApiDocument } from "../../../src/platform/http/openapi-shape.ts";
import type { Validator } from "../../support/described-answers.ts";
import type { Placed } from "../../support/openapi-rules.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { parametersOf } from "./request-of.ts";

/** A query as the description reads it: names in any case, values as texts or numbers, `name[key]` as an object. */
export type Query = Readonly<Record<string, unknown>>;

/** The query by the description's own names, and what the description refuses of it. */
export function readQuery(
  document: OpenApiDocument,
  validator: Validator,
  { path, method, operation }: Placed,
  request: Pick<FuzzRequest, "query">,
): { readonly query: Query; readonly problems: readonly string[] } {
  const parameters = parametersOf(document, operation).filter((one) => one.in === "query");
  const query: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [sent, value] of request.query) {
    const [, word = "", , key] = /^([^[]*)(\[(.*)\])?$/s.exec(sent) ?? [];
    const parameter = parameters.find(({ name }) => name.toLowerCase() === word.toLowerCase());
    const isObject = parameter?.schema.type === "object";
    if (parameter === undefined || (key !== undefined && !isObject)) {
      problems.push(`there is no parameter ${sent}`);
      continue;
    }
    const { name } = parameter;
    const before = query[name];
    if (key === undefined && before === undefined) query[name] = readValue(value, parameter.schema.type);
    else if (key !== undefined && typeof (before ?? {}) === "object" && !Object.hasOwn(before ?? {}, key))
      query[name] = Object.fromEntries([...Object.entries(before ?? {}), [key, value]]);
    else problems.push(`the parameter ${sent} is repeated`);
  }
  for (const { name, index, required } of parameters) {
    if (name in query)
      problems.push(
        ...validator(query[name], "paths", path, method, "parameters", index, "schema").map(
          (problem) => `the parameter ${name}${problem}`,
        ),
      );
    else if (required === true) problems.push(`the parameter ${name} is missing`);
  }
  return { query, problems };
}

/** A query has texts only. A number is written in one way: `07`, `7.0` and `+7` are none. */
function readValue(text: string, type: string | undefined): unknown {
  return type === "integer" && /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : text;
}
