import type pg from "pg";
import type { Statement, Tx } from "../../src/platform/db/database.ts";
import { gatherOne } from "../../src/platform/db/gather.ts";

/** A node of a query plan. */
export type Plan = {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
};

export const PLAN_MODES = ["force_custom_plan", "force_generic_plan"] as const;

/** Runs no statement: records the plan of each one, prepared as the gateway prepares it. */
export function planner(
  client: pg.Client,
  mode: (typeof PLAN_MODES)[number],
): { readonly tx: Tx; readonly plans: Plan[] } {
  const plans: Plan[] = [];
  const rows = async <Row>(statement: Statement, parameters: readonly unknown[]) => {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query("deallocate all");
    await client.query(`prepare planned as ${statement.text}`);
    const values = literals(client, parameters);
    const answer = await client.query(`explain (format json) execute planned (${values})`);
    plans.push(answer.rows[0]["QUERY PLAN"][0].Plan);
    return [] as Row[];
  };
  return { tx: { rows, gather: gatherOne(rows) }, plans };
}

export function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Parameters as SQL. Arrays are text, too, so that each takes the type that its statement expects. */
export function literals(client: pg.Client, parameters: readonly unknown[]): string {
  const quoted = (one: unknown) => JSON.stringify(String(one));
  const literal = (value: unknown): string => {
    if (value === null) return "null";
    if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`;
    if (Array.isArray(value)) return client.escapeLiteral(`{${value.map(quoted).join()}}`);
    return client.escapeLiteral(typeof value === "string" ? value : JSON.stringify(value));
  };
  return parameters.map(literal).join(", ");
}
