import { globSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { listStatements, type Statement } from "../../src/platform/db/statement.ts";

/** Loads every module that has statements, and returns them all. */
export async function everyStatement(): Promise<readonly Statement[]> {
  const files = globSync("src/**/*.ts").filter(
    (file) => !file.endsWith(".test.ts") && /\bsql\(|listRows/.test(readFileSync(file, "utf8")),
  );
  for (const file of files) await import(pathToFileURL(file).href);
  return listStatements();
}

type Node = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Operation?: string;
  readonly Filter?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Plans?: readonly Node[];
};

export type Reading = {
  /** Distributed tables that the statement scans without naming one merchant. */
  readonly unscoped: readonly string[];
  /** Kinds of nodes, for what a statement over many merchants may not do. */
  readonly nodes: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
};

/**
 * Plans a statement for any parameters, and looks at each scan of a distributed table: one that names its merchant has the
 * condition `merchant_id = $n`, also where the statement has it from a join.
 */
export async function readStatement(
  client: pg.Client,
  text: string,
  distributed: ReadonlySet<string>,
): Promise<Reading> {
  await client.query("deallocate all");
  await client.query(`prepare examined as ${text}`);
  const { rows } = await client.query<{ places: number }>(
    "select cardinality(parameter_types) as places from pg_prepared_statements where name = 'examined'",
  );
  const places = rows[0]?.places ?? 0;
  const values = places === 0 ? "" : `(${Array.from({ length: places }, () => "null").join()})`;
  const explained = await client.query(`explain (format json) execute examined ${values}`);
  const nodes = nodesOf(explained.rows[0]["QUERY PLAN"][0].Plan);
  const scans = nodes.filter(
    (node) => node["Node Type"].endsWith("Scan") && distributed.has(node["Relation Name"] ?? ""),
  );
  return {
    unscoped: [
      ...new Set(scans.filter((node) => !isScoped(node)).map((node) => node["Relation Name"] ?? "")),
    ],
    nodes: new Set(nodes.map((node) => node["Node Type"])),
    tables: new Set(nodes.flatMap((node) => node["Relation Name"] ?? [])),
  };
}

function isScoped(node: Node): boolean {
  const conditions = [node.Filter, node["Index Cond"], node["Recheck Cond"]].join(" ");
  return /\bmerchant_id\)?(?:::text)? = \(*\$\d+\b/.test(conditions);
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
