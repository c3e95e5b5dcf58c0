import type { Code } from "./code.ts";

/** Problems that any request can have. */
export const HTTP_CODES = {
  header_idempotency_key_is_used: {
    id: "V10018",
    status: 409,
    meaning:
      "The idempotency key was used before. Nothing was done; `original` names what the first request created.",
  },
  body_json_malformed: { id: "V11000", status: 400, meaning: "Send a body that is valid JSON in UTF-8." },
  body_size_too_large: {
    id: "V11001",
    status: 413,
    meaning: "The body is larger than 256 KiB; send a smaller one.",
  },
  body_media_type_unsupported: {
    id: "V11002",
    status: 415,
    meaning: "Send the body as `Content-Type: application/json`.",
  },
  body_field_unknown: {
    id: "V11003",
    status: 400,
    meaning: "This object has no such field. Check the spelling and which object it belongs to.",
  },
  query_parameter_unknown: {
    id: "V11004",
    status: 400,
    meaning: "This call has no such query parameter.",
  },
  body_object_invalid: { id: "V11005", status: 400, meaning: "Send a JSON object as the body." },
  header_api_key_missing: {
    id: "V11006",
    status: 401,
    meaning: "Send the merchant's API key in the header `X-Api-Key`.",
  },
  header_api_key_invalid: {
    id: "V11007",
    status: 401,
    meaning: "The API key is unknown or was revoked.",
  },
  api_key_scope_missing: {
    id: "V11008",
    status: 403,
    meaning: "The API key lacks the scope that this call needs.",
  },
  header_origin_refused: {
    id: "V11009",
    status: 403,
    meaning: "The call came from a page in a browser. API keys belong on the merchant's server only.",
  },
  resource_not_found: { id: "V11010", status: 404, meaning: "This merchant has no such resource." },
  path_not_found: { id: "V11011", status: 404, meaning: "The API has no such path." },
  method_not_allowed: {
    id: "V11012",
    status: 405,
    meaning: "The path exists but not with this method; the `Allow` header lists the methods it accepts.",
  },
  rate_limit_exceeded: {
    id: "V11013",
    status: 429,
    meaning: "This API key sends requests too fast; wait as long as `Retry-After` says.",
  },
  header_idempotency_key_invalid: {
    id: "V11014",
    status: 400,
    meaning: "Send one idempotency key of 1 to 255 visible ASCII characters.",
  },
  request_http_malformed: { id: "V11015", status: 400, meaning: "The request is not well-formed HTTP." },
  query_limit_invalid: {
    id: "V11020",
    status: 400,
    meaning: "Send `limit` as a whole number from 1 to 100.",
  },
  query_cursor_invalid: {
    id: "V11021",
    status: 400,
    meaning: "Send the `nextCursor` of an earlier page as `cursor`.",
  },
  query_created_from_invalid: {
    id: "V11022",
    status: 400,
    meaning: "Send `createdFrom` as an ISO 8601 date and time with its zone.",
  },
  query_created_to_invalid: {
    id: "V11023",
    status: 400,
    meaning: "Send `createdTo` as an ISO 8601 date and time with its zone, later than `createdFrom`.",
  },
  query_status_invalid: {
    id: "V11024",
    status: 400,
    meaning: "Send one of the resource's states as `status`.",
  },
  query_reference_invalid: {
    id: "V11025",
    status: 400,
    meaning: "Send a `reference` of 1 to 64 characters.",
  },
  query_event_invalid: { id: "V11026", status: 400, meaning: "Send one of the event values as `event`." },
  query_resourceid_invalid: {
    id: "V11027",
    status: 400,
    meaning: "Send the id of a resource as `resourceid`.",
  },
  system_error: {
    id: "S10000",
    status: 500,
    meaning: "Something went wrong in the gateway. Its log has the details under the `X-Request-Id`.",
  },
  system_unavailable: {
    id: "S10001",
    status: 503,
    meaning: "The gateway can't reach its database or is overloaded; try again as `Retry-After` says.",
  },
} as const satisfies Record<string, Code>;
