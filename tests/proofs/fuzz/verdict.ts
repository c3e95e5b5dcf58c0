import type { Facts, Served } from "./facts.ts";
import type { Body, FuzzRequest } from "./fuzz-request.ts";
import type { Query } from "./query-model.ts";

/**
 * What a rule says of a request that its description accepts: it breaks the rule and is never accepted, it keeps the rule
 * and is never refused for it, or something that the request does not show decides.
 */
export type Verdict = "breaks" | "keeps" | "open";

export type Judged = Served & {
  readonly request: FuzzRequest;
  readonly body: Body;
  readonly query: Query;
  readonly facts: Facts;
};

/** Rules that a JSON schema can't state, by the message of their refusal. */
export type Rules = Readonly<Record<string, (judged: Judged) => Verdict>>;

export const breaksIf = (isBroken: boolean): Verdict => (isBroken ? "breaks" : "keeps");
/** Certainly broken, possibly broken, or kept. */
export const between = (isBroken: boolean, mayBeBroken: boolean): Verdict =>
  isBroken ? "breaks" : mayBeBroken ? "open" : "keeps";
