import { presentCode } from "../../kernel/codes/present-code.ts";
import { defined } from "../../kernel/defined.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type Problem, Refusal } from "../../kernel/refusal.ts";
import { holdsCardNumber } from "../cards/card-number-in-text.ts";
import { isDatabaseAway } from "../db/errors.ts";
import { KeyServiceProblem } from "../vault/errors.ts";

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** The operator has to look into it. */
  readonly isBug: boolean;
};

/** Translates any error into the answer. A refusal says what to fix; a bug shows only its id. */
export function errorAnswer(error: unknown, mode: Mode | undefined, baseUrl: string): ErrorAnswer {
  if (error instanceof Refusal) return refusalAnswer(error, mode, baseUrl);
  const framework = refusalOfFramework(error);
  if (framework !== undefined) return refusalAnswer(framework, mode, baseUrl);
  if (isDatabaseAway(error) || error instanceof KeyServiceProblem)
    return { ...refusalAnswer(new Refusal([{ code: "system_unavailable" }]), mode, baseUrl), isBug: false };
  return { ...refusalAnswer(new Refusal([{ code: "system_error" }]), mode, baseUrl), isBug: true };
}

function refusalAnswer(refusal: Refusal, mode: Mode | undefined, baseUrl: string): ErrorAnswer {
  const { original } = refusal;
  const location = original?.location == null ? null : baseUrl + original.location;
  return {
    status: refusal.status,
    headers: { ...retryAfter(refusal), ...rateLimit(refusal) },
    body: {
      ...(original && { original: { ...original, location } }),
      ...refusal.ended,
      result: {
        ...defined({ mode }),
        status: refusal.status >= 500 ? "system_error" : "validation_error",
        codes: refusal.problems.map((problem) => presentProblem(problem, baseUrl)),
      },
    },
    isBug: false,
  };
}

/** In seconds: a refusal that says how long it lasts, else a guess for an unavailable database. */
function retryAfter({ status, problems }: Refusal): Readonly<Record<string, string>> {
  const wait = Math.max(0, ...problems.map((problem) => problem.wait ?? 0));
  if (wait > 0) return { "Retry-After": String(Math.ceil(wait / 1000)) };
  return status === 503 ? { "Retry-After": "2" } : {};
}

/** Of a limit that was found before the one of the API key. */
function rateLimit(refusal: Refusal): Readonly<Record<string, string>> {
  const perSecond = refusal.problems.find((problem) => problem.perSecond !== undefined)?.perSecond;
  if (perSecond === undefined) return {};
  return {
    "RateLimit-Limit": String(perSecond),
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": retryAfter(refusal)["Retry-After"] ?? "1",
  };
}

function presentProblem({ code, field, totals, reason, verification }: Problem, baseUrl: string): object {
  return {
    ...presentCode(code, baseUrl),
    ...defined({ field: field && shownPlace(field), reason }),
    ...totals,
    ...verification,
  };
}

/** A caller can put a card number into the name of a field. The place then ends before that name. */
function shownPlace(pointer: string): string {
  if (!holdsCardNumber(pointer)) return pointer;
  const names = pointer.split("/");
  return names.slice(0, names.findIndex(holdsCardNumber)).join("/");
}

const FRAMEWORK_CODES: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: "body_size_too_large" },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: "body_media_type_unsupported" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: "request_http_malformed" },
  FST_ERR_BAD_URL: { code: "request_http_malformed" },
  FST_ERR_MAX_PARAM_LENGTH: { code: "path_not_found" },
};

/** Refusals of Fastify, with our codes. A client that disconnects while sending its body is no lost database. */
function refusalOfFramework(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === "ECONNRESET" && error.message === "aborted")
    return new Refusal([{ code: "request_http_malformed" }]);
  const problem = FRAMEWORK_CODES[error.code];
  return problem === undefined ? undefined : new Refusal([problem]);
}
