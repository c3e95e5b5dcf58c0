import type { CodeId } from "../../kernel/codes/catalogue.ts";
import type { Route } from "./route.ts";

/** A route without the code that runs: all that a description of the API is made from. */
export type RouteFacts = Omit<Route<never>, "run" | "rules">;

/** What the way through mount-routes.ts can refuse with before any verb runs: the same for every keyed request. */
export const CODES_OF_EVERY_REQUEST: readonly CodeId[] = [
  ...(["V11004", "V11006", "V11007", "V11008", "V11009", "V11013", "V11015"] as const),
  ...(["S10000", "S10001"] as const),
];

/** The same for requests that may carry a body and an idempotency key. */
export const CODES_OF_EVERY_CHANGE: readonly CodeId[] = [
  ...(["V10018", "V11000", "V11001", "V11002", "V11003", "V11005", "V11014"] as const),
];

/** Codes about the path itself: no operation answers them, because the request reached none. */
export const CODES_OF_NO_ROUTE: readonly CodeId[] = ["V11011", "V11012"];

/** Every code that a request to this route can be answered with, sorted. */
export function codesOf(route: RouteFacts): readonly CodeId[] {
  const found = new Set<CodeId>([
    ...sharedCodesOf(route),
    ...ownPathCodes(route),
    ...codesIn(route.body),
    // A query is always an object, so the code of the whole can't come up.
    ...codesIn(propertiesOf(route.query)),
    ...route.refusals,
  ]);
  return [...found].sort();
}

/** The part of `codesOf` that is no different for any other route of its kind. */
export function sharedCodesOf(route: Pick<RouteFacts, "method">): readonly CodeId[] {
  return route.method === "GET"
    ? CODES_OF_EVERY_REQUEST
    : [...CODES_OF_EVERY_REQUEST, ...CODES_OF_EVERY_CHANGE];
}

/** In live mode a sandbox path does not exist. */
function ownPathCodes(route: RouteFacts): readonly CodeId[] {
  return route.sandboxOnly === true ? ["V11011"] : [];
}

function propertiesOf(schema: unknown): unknown {
  return typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : {};
}

/** Codes of a schema and of everything inside it. */
function codesIn(schema: unknown): readonly CodeId[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "x-code" in schema ? [schema["x-code"] as CodeId] : [];
  return [...own, ...Object.values(schema).flatMap(codesIn)];
}
