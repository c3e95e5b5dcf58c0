import { Ajv2020 } from "ajv/dist/2020.js";
import { OUTCOMES } from "../../src/kernel/codes/outcomes.ts";
import { FORMATS } from "../../src/platform/http/formats.ts";
import type { OpenApiDocument } from "../../src/platform/http/openapi-shape.ts";
import { operationNamed } from "./openapi-rules.ts";

/** Validates a value against the schema at a place of the document; returns the problems. */
export type Validator = (value: unknown, ...place: readonly (string | number)[]) => readonly string[];

export function validatorOf(document: OpenApiDocument): Validator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  ajv.addSchema(document, "api");
  return (value, ...place) => {
    const pointer = place.map((part) => encodeURIComponent(escaped(String(part)))).join("/");
    const validate = ajv.getSchema(`api#/${pointer}`);
    if (validate === undefined) return [`there is no schema at ${place.join(" ")}`];
    void validate(value);
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

/** Validates an answer against the document's description of that operation and status. */
export function answerProblems(
  document: OpenApiDocument,
  validator: Validator,
  operationId: string,
  answer: { readonly status: number; readonly body: unknown },
): readonly string[] {
  const placed = operationNamed(document, operationId);
  if (placed === undefined) return [`${operationId} is not described`];
  const { path, method, operation } = placed;
  const response = operation.responses[String(answer.status)];
  if (response === undefined) return [`${operationId} does not declare status ${answer.status}`];
  const place =
    "$ref" in response
      ? response.$ref.slice(2).split("/")
      : ["paths", path, method, "responses", String(answer.status)];
  const content = "$ref" in response ? {} : response.content;
  const type = Object.keys(content)[0] ?? "application/json";
  const problems = validator(answer.body, ...place, "content", type, "schema");
  if (problems.length > 0) return problems;
  // A bank's outcome comes with 200; refusals are declared per operation.
  const known: readonly string[] = answer.status === 200 ? Object.values(OUTCOMES) : operation["x-codes"];
  return codesIn(answer.body)
    .filter((code) => !known.includes(code))
    .map((code) => `${operationId} does not declare code ${code}`);
}

function codesIn(body: unknown): readonly string[] {
  const { result } = Object(body) as { result?: { codes?: readonly { id: string }[] } };
  return (result?.codes ?? []).map(({ id }) => id);
}

function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}
