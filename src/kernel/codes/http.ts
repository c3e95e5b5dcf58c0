import type { Code } from "./code.ts";

/** What can be wrong with any request, whatever it asks for. */
export const HTTP_CODES = {
  V10018: {
    message: "header_idempotency_key_is_used",
    status: 409,
    meaning:
      "The idempotency key was used before. Nothing was done; `original` names what the first request made.",
  },
  V11000: { message: "body_json_malformed", status: 400, meaning: "The body is not valid JSON in UTF-8." },
  V11001: { message: "body_size_too_large", status: 413, meaning: "The body is larger than 256 KiB." },
  V11002: {
    message: "body_media_type_unsupported",
    status: 415,
    meaning: "Send the body as `Content-Type: application/json`.",
  },
  V11003: {
    message: "body_field_unknown",
    status: 400,
    meaning: "There is no such field here. Check its spelling and the object that it stands in.",
  },
  V11004: {
    message: "query_parameter_unknown",
    status: 400,
    meaning: "There is no such query parameter here.",
  },
  V11005: { message: "body_object_invalid", status: 400, meaning: "The body must be a JSON object." },
  V11006: {
    message: "header_api_key_missing",
    status: 401,
    meaning: "Send the merchant's API key in the header `X-Api-Key`.",
  },
  V11007: {
    message: "header_api_key_invalid",
    status: 401,
    meaning: "The API key is unknown or was revoked.",
  },
  V11008: {
    message: "api_key_scope_missing",
    status: 403,
    meaning: "The API key lacks the scope that this call needs.",
  },
  V11009: {
    message: "header_origin_refused",
    status: 403,
    meaning: "The call came from a page in a browser. API keys belong on the merchant's server only.",
  },
  V11010: { message: "resource_not_found", status: 404, meaning: "This merchant has no such resource." },
  V11011: { message: "path_not_found", status: 404, meaning: "The API has no such path." },
  V11012: {
    message: "method_not_allowed",
    status: 405,
    meaning: "The path is known, the method is not; the `Allow` header lists the methods it takes.",
  },
  V11013: {
    message: "rate_limit_exceeded",
    status: 429,
    meaning: "This API key sends requests too fast; wait as long as `Retry-After` says.",
  },
  V11014: {
    message: "header_idempotency_key_invalid",
    status: 400,
    meaning: "An idempotency key is 1 to 255 visible ASCII characters, given once.",
  },
  V11015: { message: "request_http_malformed", status: 400, meaning: "The request is not well-formed HTTP." },
  V11020: {
    message: "query_limit_invalid",
    status: 400,
    meaning: "`limit` is a whole number from 1 to 100.",
  },
  V11021: {
    message: "query_cursor_invalid",
    status: 400,
    meaning: "`cursor` is the `nextCursor` of an earlier page.",
  },
  V11022: {
    message: "query_created_from_invalid",
    status: 400,
    meaning: "`createdFrom` is an ISO 8601 date and time with its zone.",
  },
  V11023: {
    message: "query_created_to_invalid",
    status: 400,
    meaning: "`createdTo` is an ISO 8601 date and time with its zone, later than `createdFrom`.",
  },
  V11024: {
    message: "query_status_invalid",
    status: 400,
    meaning: "`status` is one of the states of the resource.",
  },
  V11025: { message: "query_reference_invalid", status: 400, meaning: "`reference` is 1 to 64 characters." },
  V11026: { message: "query_event_invalid", status: 400, meaning: "`event` is one of the event values." },
  V11027: {
    message: "query_resourceid_invalid",
    status: 400,
    meaning: "`resourceid` is the id of a resource.",
  },
  S10000: {
    message: "system_error",
    status: 500,
    meaning: "Something went wrong on our side. `X-Request-Id` finds it in the gateway's log.",
  },
  S10001: {
    message: "system_unavailable",
    status: 503,
    meaning: "The gateway can't reach its database or has too much to do; try again as `Retry-After` says.",
  },
} as const satisfies Record<string, Code>;
