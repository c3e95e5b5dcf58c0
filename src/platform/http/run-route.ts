import { refuse, refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../context.ts";
import { compileProblems, type FindProblems } from "./find-problems.ts";
import { compilePathIds, type KeyedCaller, type RequestFacts, type Route } from "./route.ts";

export type RawInput = {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
};

export type RunRoute<Caller> = (
  ctx: Context,
  caller: Caller & RequestFacts,
  name: string,
  input?: RawInput,
) => Promise<unknown>;

/**
 * Lets pages of ours do what an endpoint does: the same scope, schema, rules and verb, the same refusals. What a form
 * asks for can't differ from what the API would take.
 */
export function routeRunner<Caller extends KeyedCaller>(routes: readonly Route<Caller>[]): RunRoute<Caller> {
  const known = new Map(routes.map((route) => [route.name, route]));
  const compiled = new Map<string, Compiled<Caller>>();
  return async (ctx, caller, name, { body = {}, query = {}, params = {} } = {}) => {
    const route = known.get(name);
    if (route === undefined) throw new Error(`there is no endpoint ${name}`);
    if (!caller.scopes.includes(route.scope)) refuse("dashboard_role_missing");
    if (route.sandboxOnly === true && caller.mode !== "sandbox") refuse("resource_not_found");
    const { findProblems, idsIn } = compiled.get(name) ?? compile(route);
    compiled.set(name, { findProblems, idsIn });
    const ids = idsIn(params);
    refuseAll(await findProblems(ctx, caller, { body, query, params: ids }));
    return route.run(ctx, { caller, body, query, params: ids ?? refuse("resource_not_found") });
  };
}

type Compiled<Caller> = {
  readonly findProblems: FindProblems<Caller>;
  readonly idsIn: ReturnType<typeof compilePathIds>;
};

function compile<Caller extends KeyedCaller>(route: Route<Caller>): Compiled<Caller> {
  return { findProblems: compileProblems(route), idsIn: compilePathIds(route.path) };
}
