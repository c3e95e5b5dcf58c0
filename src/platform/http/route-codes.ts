import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { Route } from "./route.ts";
import { FREE_TEXT } from "./schema.ts";

/** A route without the code that runs: all that a description of the API is made from. */
export type RouteFacts = Omit<Route<never>, "run" | "rules">;

/** What the way through mount-routes.ts can refuse with before any verb runs: the same for every keyed request. */
export const CODES_OF_EVERY_REQUEST: readonly CodeName[] = [
  ...([
    "query_parameter_unknown",
    "header_api_key_missing",
    "header_api_key_invalid",
    "header_api_key_throttled",
    "api_key_scope_missing",
    "api_key_address_refused",
    "header_origin_refused",
    "rate_limit_exceeded",
    "request_http_malformed",
  ] as const),
  ...(["system_error", "system_unavailable"] as const),
];

/** The same for requests that may carry a body and an idempotency key. */
export const CODES_OF_EVERY_CHANGE: readonly CodeName[] = [
  ...([
    "header_idempotency_key_is_used",
    "body_json_malformed",
    "body_size_too_large",
    "body_media_type_unsupported",
    "body_encoding_unsupported",
    "body_charset_unsupported",
    "body_nesting_too_deep",
    "body_values_too_many",
    "body_field_repeated",
    "body_field_unknown",
    "body_object_invalid",
    "header_idempotency_key_invalid",
  ] as const),
];

/** Codes about the path itself: no operation answers them, because the request reached none. */
export const CODES_OF_NO_ROUTE: readonly CodeName[] = ["path_not_found", "method_not_allowed"];

/** Every code that a request to this route can be answered with. */
export function codesOf(route: RouteFacts): readonly CodeName[] {
  const found = new Set<CodeName>([
    ...sharedCodesOf(route),
    ...ownPathCodes(route),
    ...codesIn(route.body),
    // A query is always an object, so the code of the object can't come up.
    ...codesIn(propertiesOf(route.query)),
    ...(route.refusals ?? []),
  ]);
  return [...found];
}

/** The part of `codesOf` that is no different for any other route of its kind. */
export function sharedCodesOf(route: Pick<RouteFacts, "method">): readonly CodeName[] {
  return route.method === "GET"
    ? CODES_OF_EVERY_REQUEST
    : [...CODES_OF_EVERY_REQUEST, ...CODES_OF_EVERY_CHANGE];
}

/** In live mode a sandbox path does not exist; an id in a path may be unknown. */
function ownPathCodes({ path, sandboxOnly }: RouteFacts): readonly CodeName[] {
  return [
    ...(sandboxOnly === true ? (["path_not_found"] as const) : []),
    ...(path.includes("{") ? (["resource_not_found"] as const) : []),
  ];
}

function propertiesOf(schema: unknown): unknown {
  return typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : {};
}

/** Codes of a schema and of everything inside it. */
function codesIn(schema: unknown): readonly CodeName[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "x-code" in schema ? [schema["x-code"] as CodeName] : [];
  const free = FREE_TEXT in schema ? (["text_card_number_refused"] as const) : [];
  return [...own, ...free, ...Object.values(schema).flatMap(codesIn)];
}
