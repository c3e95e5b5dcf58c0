import type { OpenApiDocument } from "../../../src/platform/http/openapi-shape.ts";
import type { Validator } from "../../support/described-answers.ts";
import { operationNamed, type Placed } from "../../support/openapi-rules.ts";
import type { Facts, Served } from "./facts.ts";
import type { Body, FuzzRequest } from "./fuzz-request.ts";
import { readQuery } from "./query-model.ts";
import { rulesOf } from "./rules.ts";

const JSON_TYPE = "application/json";
/** No description says it, and no text may have it: half a surrogate pair. */
const HALF = /\\ud[89a-f]/i;

type Answered = { readonly status: number; readonly body: unknown };
type Code = { readonly id: string; readonly message: string; readonly field?: string };

/**
 * Whether a request was accepted exactly when it should have been: one whose body or query the description refuses, or that
 * breaks a rule, is never accepted; one that keeps them all is refused by none of them. Returns the problems.
 */
export function acceptanceProblems(
  document: OpenApiDocument,
  validator: Validator,
  { request, answer }: { readonly request: FuzzRequest; readonly answer: Answered },
  known: Served & { readonly facts: Facts },
): readonly string[] {
  const placed = operationNamed(document, request.operationId);
  if (placed === undefined) return [`${request.operationId} is not described`];
  const { query, problems: ofQuery } = readQuery(document, validator, placed, request);
  const { body, problems: ofBody } = readBody(validator, placed, request);
  const refused = [...ofQuery, ...ofBody];
  const isAccepted = answer.status < 300;
  if (isAccepted && refused.length > 0) return refused.map((problem) => `accepted, although ${problem}`);

  const rules = rulesOf(request.operationId);
  const verdictOf = (message: string) => rules[message]?.({ request, body: body as Body, query, ...known });
  if (isAccepted)
    return Object.keys(rules)
      .filter((message) => verdictOf(message) === "breaks")
      .map((message) => `accepted, although ${message}`);
  const { result } = Object(answer.body) as { result?: { codes?: readonly Code[] } };
  return (result?.codes ?? [])
    .filter(({ message }) => (message.startsWith("query_") ? ofQuery : ofBody).length === 0)
    .filter(({ message, field }) => {
      const verdict = verdictOf(message);
      return (verdict ?? "keeps") === "keeps" && !isHalf(body, field);
    })
    .map(({ id, message, field }) => `refused with ${id} ${message} ${field}, although the model accepts it`);
}

/** The body as it was sent. An operation that describes none ignores what a request carries: a GET has no body. */
function readBody(
  validator: Validator,
  { path, method, operation }: Placed,
  request: FuzzRequest,
): { readonly body: unknown; readonly problems: readonly string[] } {
  const described = operation.requestBody;
  if (described === undefined) return { body: {}, problems: [] };
  if (request.body === undefined)
    return { body: {}, problems: described.required ? ["there is no body"] : [] };
  const body = JSON.parse(JSON.stringify(request.body)) as unknown;
  const problems = validator(body, "paths", path, method, "requestBody", "content", JSON_TYPE, "schema");
  return { body, problems };
}

function isHalf(body: unknown, field: string | undefined): boolean {
  const at = (field ?? "")
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) => (Object(value) as Body)[name.replaceAll("~1", "/").replaceAll("~0", "~")],
      body,
    );
  return HALF.test(JSON.stringify(at) ?? "");
}
