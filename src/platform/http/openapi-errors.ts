import { CODES_BY_ID, type CodeId, type CodeName, codeId } from "../../kernel/codes/catalogue.ts";
import { MODES } from "../../kernel/mode.ts";
import { CODE_FIELDS } from "./code-fields.ts";
import { plainSchema } from "./openapi-schemas.ts";
import type { JsonSchema, Reference, Response } from "./openapi-shape.ts";
import { codesOf, type RouteFacts, sharedCodesOf } from "./route-codes.ts";
import { answer, type Schema } from "./schema.ts";

const PROBLEM = answer.object(
  {
    ...CODE_FIELDS,
    field: answer.optional(answer.text("JSON pointer to the place in the request.")),
    expected: answer.optional(answer.integer("Only with totals that do not add up.")),
    given: answer.optional(answer.integer("Only with totals that do not add up.")),
    reason: answer.optional(answer.text("Why a logo or a domain was refused.")),
    domain: answer.optional(answer.text("Only with a domain that could not be verified.")),
  },
  "One thing that is wrong. All of them are reported at once.",
);

const VERIFICATION_PROBLEM = answer.object(
  {
    ...CODE_FIELDS,
    field: answer.optional(answer.text("JSON pointer to the domain in the request.")),
    domain: answer.optional(answer.text("The domain that could not be verified.")),
    reason: answer.optional(answer.text('Begins with "Domain verification failed: ".')),
  },
  "One domain that could not be verified, or a fault of the gateway.",
);

const ORIGINAL = answer.object(
  {
    requestId: answer.text("`X-Request-Id` of the first request."),
    status: answer.oneOf("processing", "done"),
    id: answer.nullable(answer.text("What the first request made, once it is known.")),
    location: answer.nullable(answer.text("Where to read it.")),
  },
  `Only with \`${codeId("header_idempotency_key_is_used")}\`: what the first request with this idempotency key did.`,
);

const resultWith = (status: "validation_error" | "system_error", problem: Schema = PROBLEM) =>
  answer.object({
    mode: answer.optional(answer.oneOf(...MODES)),
    status: answer.oneOf(status),
    codes: answer.list(problem),
  });

/** Every answer that is no success has one of these forms. */
export const ERROR_SCHEMAS: Readonly<
  Record<"ValidationError" | "Conflict" | "SystemError" | "DomainVerificationError", JsonSchema>
> = {
  ValidationError: plainSchema(answer.object({ result: resultWith("validation_error") })),
  Conflict: plainSchema(
    answer.object({ original: answer.optional(ORIGINAL), result: resultWith("validation_error") }),
  ),
  SystemError: plainSchema(answer.object({ result: resultWith("system_error") })),
  DomainVerificationError: plainSchema(
    answer.object({ result: resultWith("system_error", VERIFICATION_PROBLEM) }),
  ),
};

const MEANINGS: Readonly<Record<number, string>> = {
  400: "Something in the request is wrong; every problem is named.",
  401: "The API key is missing, unknown or revoked.",
  403: "The key or the merchant account may not do this.",
  404: "This merchant has no such resource.",
  409: "The state of things does not allow it, or the idempotency key was used.",
  413: "The body is too large.",
  415: "The body is not `application/json`.",
  429: "Too many requests; wait as long as `Retry-After` says.",
  500: "A fault on our side.",
  503: "Not available right now; try again as `Retry-After` says.",
};

const MORE_HEADERS: Readonly<Record<number, readonly string[]>> = {
  429: ["Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
  503: ["Retry-After"],
};

const SHARED = byStatus(sharedCodesOf({ method: "POST" }));

/** Error answers of a route by status. Those that are the same for every route are written once and referred to. */
export function errorResponses(route: RouteFacts): Readonly<Record<string, Response | Reference>> {
  return Object.fromEntries(
    [...byStatus(codesOf(route))].map(([status, codes]) => [
      status,
      String(codes) === String(SHARED.get(status)) ? sharedReference(status) : errorResponse(status, codes),
    ]),
  );
}

export function sharedResponses(): Readonly<Record<string, Response>> {
  return Object.fromEntries(
    [...SHARED].map(([status, codes]) => [`Error${status}`, errorResponse(status, codes)]),
  );
}

function sharedReference(status: number): Reference {
  return { $ref: `#/components/responses/Error${status}` };
}

function errorResponse(status: number, codes: readonly CodeId[]): Response {
  return {
    description: MEANINGS[status] ?? "Refused.",
    headers: {
      "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
      ...Object.fromEntries(
        (MORE_HEADERS[status] ?? []).map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
      ),
    },
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schemaOf(status, codes)}` } } },
    "x-codes": codes,
  };
}

function schemaOf(status: number, codes: readonly CodeId[]): keyof typeof ERROR_SCHEMAS {
  if (codes.includes(codeId("wallet_domain_verification_failed"))) return "DomainVerificationError";
  if (status >= 500) return "SystemError";
  return status === 409 ? "Conflict" : "ValidationError";
}

function byStatus(codes: readonly CodeName[]): ReadonlyMap<number, readonly CodeId[]> {
  const ids = codes.map(codeId).toSorted();
  return new Map([...Map.groupBy(ids, (id) => CODES_BY_ID[id].status)].sort(([a], [b]) => a - b));
}
