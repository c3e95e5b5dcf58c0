import type { Problem } from "../../kernel/refusal.ts";
import type { Context } from "../context.ts";
import { rangeProblems } from "./lists.ts";
import type { PathIds, RequestFacts, Route } from "./route.ts";
import { object } from "./schema.ts";
import { compileValidator, withRules } from "./validate.ts";

const NOTHING = object({ code: "body_object_invalid" }, {});

/** A body can hold very many unknown fields; no more than this are reported. */
const PROBLEMS_AT_MOST = 1_000;

export type FindProblems<Caller> = (
  ctx: Context,
  caller: Caller & RequestFacts,
  sent: {
    readonly body: unknown;
    readonly query: unknown;
    /** Undefined: the path has a text that can't be an id. */
    readonly params: PathIds<string> | undefined;
    /** Problems of its headers and its URL, which are reported first. */
    readonly outside?: readonly Problem[];
  },
) => Promise<readonly Problem[]>;

/** Compiles what an endpoint checks before its verb runs: schemas, rules, and beside other problems what is looked up. */
export function compileProblems<Caller>(route: Route<Caller>): FindProblems<Caller> {
  const checkBody = compileValidator(route.body ?? NOTHING, "body_field_unknown");
  const checkQuery = compileValidator(route.query ?? NOTHING, "query_parameter_unknown");
  return async (ctx, caller, sent) => {
    const query = checkQuery(sent.query);
    const body = checkBody(sent.body);
    const { loose, sound } = body;
    const rules = loose === undefined ? [] : (route.rules?.(loose, { caller, ctx, sound }) ?? []);
    const range = rangeProblems(query.loose ?? {});
    const { params, outside = [] } = sent;
    const problems = [...outside, ...query.problems, ...range, ...withRules(body, rules)];
    if (problems.length === 0 || loose === undefined || params === undefined)
      return problems.slice(0, PROBLEMS_AT_MOST);
    const found = (await route.lookUp?.(loose, { caller, ctx, sound, params })) ?? [];
    const more = found.filter((one) => !problems.some((known) => isWithin(one.field, known.field)));
    return [...problems, ...more].slice(0, PROBLEMS_AT_MOST);
  };
}

/** At or below a place that was refused already. */
function isWithin(field: string | undefined, place: string | undefined): boolean {
  return place !== undefined && (field === place || field?.startsWith(`${place}/`) === true);
}
