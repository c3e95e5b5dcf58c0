import type { Code } from "./code.ts";

/** Problems that any request can have. */
export const HTTP_CODES = {
  header_idempotency_key_is_used: {
    id: "V10018",
    status: 409,
    meaning:
      "Read what the first request with this idempotency key made, which `original` names, or send a new key; this request did nothing.",
  },
  body_json_malformed: { id: "V11000", status: 400, meaning: "Send a body that is valid JSON in UTF-8." },
  body_size_too_large: {
    id: "V11001",
    status: 413,
    meaning: "Send a body of at most 256 KiB.",
  },
  body_media_type_unsupported: {
    id: "V11002",
    status: 415,
    meaning: "Send the body as `Content-Type: application/json`.",
  },
  body_field_unknown: {
    id: "V11003",
    status: 400,
    meaning:
      "Check the spelling of this field and which object it belongs to, or remove it; this object has no such field.",
  },
  query_parameter_unknown: {
    id: "V11004",
    status: 400,
    meaning: "Check the spelling of this query parameter, or remove it; this call has no such parameter.",
  },
  body_object_invalid: { id: "V11005", status: 400, meaning: "Send a JSON object as the body." },
  header_api_key_missing: {
    id: "V11006",
    status: 401,
    meaning: "Send your API key in the `X-Api-Key` header.",
  },
  header_api_key_invalid: {
    id: "V11007",
    status: 401,
    meaning: "Send an API key that exists, has not expired and was not revoked in the `X-Api-Key` header.",
  },
  api_key_scope_missing: {
    id: "V11008",
    status: 403,
    meaning: "Use an API key with the scope that this call needs.",
  },
  api_key_address_refused: {
    id: "V11080",
    status: 403,
    meaning:
      "Call from an address that the API key is bound to, or ask the operator for a key that works from yours.",
  },
  metrics_token_invalid: {
    id: "V11081",
    status: 401,
    meaning: "Send the operator's `TIDEGATE_METRICS_TOKEN` as a bearer token.",
  },
  header_origin_refused: {
    id: "V11009",
    status: 403,
    meaning: "Call the API from the merchant's server; API keys must not be in a page in a browser.",
  },
  resource_not_found: {
    id: "V11010",
    status: 404,
    meaning: "Check the id; this merchant has no such resource.",
  },
  path_not_found: { id: "V11011", status: 404, meaning: "Check the path; the API has no such path." },
  method_not_allowed: {
    id: "V11012",
    status: 405,
    meaning: "Use one of the methods in the `Allow` header; the path exists but not with this method.",
  },
  rate_limit_exceeded: {
    id: "V11013",
    status: 429,
    meaning: "Wait as long as `Retry-After` says; this API key sends requests too fast.",
  },
  header_idempotency_key_invalid: {
    id: "V11014",
    status: 400,
    meaning: "Send one idempotency key of 1 to 255 visible ASCII characters.",
  },
  request_http_malformed: {
    id: "V11015",
    status: 400,
    meaning: "Send well-formed HTTP, with the URL percent-encoded as UTF-8; this request is not.",
  },
  body_nesting_too_deep: {
    id: "V11016",
    status: 400,
    meaning: "Send objects and lists that are nested at most 32 deep.",
  },
  body_values_too_many: {
    id: "V11017",
    status: 400,
    meaning: "Send at most 10000 values in one body.",
  },
  body_field_repeated: {
    id: "V11018",
    status: 400,
    meaning: "Send each field of an object once.",
  },
  body_encoding_unsupported: {
    id: "V11019",
    status: 415,
    meaning: "Send the body as it is, without `Content-Encoding` or with `identity`.",
  },
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
  query_updated_from_invalid: {
    id: "V12061",
    status: 400,
    meaning: "Send `updatedFrom` as an ISO 8601 date and time with its zone.",
  },
  query_updated_to_invalid: {
    id: "V12062",
    status: 400,
    meaning: "Send `updatedTo` as an ISO 8601 date and time with its zone, later than `updatedFrom`.",
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
  body_charset_unsupported: {
    id: "V11030",
    status: 415,
    meaning: "Send the body in UTF-8, with no other `charset` in its `Content-Type`.",
  },
  text_card_number_refused: {
    id: "V11031",
    status: 400,
    meaning:
      "Remove the card number from this text; only the card fields of the checkout take one, and everything else is stored and shown in clear.",
  },
  header_api_key_throttled: {
    id: "V11032",
    status: 429,
    meaning:
      "Send a right API key, or wait as long as `Retry-After` says; too many wrong ones came from this address.",
  },
  system_error: {
    id: "S10000",
    status: 500,
    meaning:
      "Give the gateway's operator the `X-Request-Id`, under which the log has the details; something went wrong in the gateway.",
  },
  system_unavailable: {
    id: "S10001",
    status: 503,
    meaning: "Try again as `Retry-After` says; the gateway can't reach its database or is overloaded.",
  },
} as const satisfies Record<string, Code>;
