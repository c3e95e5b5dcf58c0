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
  readonly "Parent Relationship"?: string;
  readonly "CTE Name"?: string;
  readonly "Subplan Name"?: string;
  readonly Alias?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly Node[];
};

export type Reading = {
  /** Distributed tables that the statement scans, or inserts rows into, without naming one merchant. */
  readonly unscoped: readonly string[];
  /** The parameters that its scans and inserts take for the merchant: two could have different ones. */
  readonly merchants: ReadonlySet<string>;
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
  const explained = await client.query(`explain (verbose, format json) execute examined ${values}`);
  const nodes = nodesOf(explained.rows[0]["QUERY PLAN"][0].Plan);
  const scans = nodes.filter(
    (node) => node["Node Type"].endsWith("Scan") && distributed.has(node["Relation Name"] ?? ""),
  );
  const scoped = scans.filter((node) => merchantsOf(node).length > 0);
  const inserts = nodes.filter(
    (node) => node.Operation === "Insert" && distributed.has(node["Relation Name"] ?? ""),
  );
  const columns = await merchantColumns(client);
  const wrong = [
    ...scans.filter((node) => !scoped.includes(node)),
    ...inserts.filter((node) => !isOfOneMerchant(node, { nodes, columns, scoped })),
  ];
  return {
    unscoped: [...new Set(wrong.map((node) => node["Relation Name"] ?? ""))],
    merchants: new Set([
      ...scoped.flatMap(merchantsOf),
      ...inserts.flatMap((node) => insertedFor(node, columns)),
    ]),
    nodes: new Set(nodes.map((node) => node["Node Type"])),
    tables: new Set(nodes.flatMap((node) => node["Relation Name"] ?? [])),
  };
}

const EQUALS_PARAMETER = /^\(*(?:\w+\.)?merchant_id\)?(?:::text)? = \(*(\$\d+)\b/;

/**
 * The parameters that name the merchant in conditions that all rows fulfil; in an alternative they would name it for only
 * some rows.
 */
function merchantsOf(node: Node): readonly string[] {
  return [node.Filter, node["Index Cond"], node["Recheck Cond"]]
    .flatMap((condition) => conjunctsOf(condition ?? ""))
    .flatMap((condition) => EQUALS_PARAMETER.exec(condition)?.[1] ?? []);
}

function conjunctsOf(condition: string): readonly string[] {
  const inner = unwrap(condition.replaceAll(/'[^']*'/g, "''"));
  if (partsOf(inner, " OR ").length > 1) return [];
  const parts = partsOf(inner, " AND ");
  return parts.length === 1 ? parts : parts.flatMap(conjunctsOf);
}

/** Without the parentheses around all of it. */
function unwrap(text: string): string {
  return text.startsWith("(") && endOfGroup(text) === text.length - 1 ? unwrap(text.slice(1, -1)) : text;
}

function endOfGroup(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** Splits at a word outside parentheses. */
function partsOf(text: string, word: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (depth !== 0 || !text.startsWith(word, index)) continue;
    parts.push(text.slice(from, index));
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
}

type Plan = {
  readonly nodes: readonly Node[];
  readonly columns: ReadonlyMap<string, number>;
  readonly scoped: readonly Node[];
};

/** The rows have the merchant from a parameter, or from a row that a scan of one merchant found. */
function isOfOneMerchant({ "Relation Name": table = "", Plans = [] }: Node, plan: Plan): boolean {
  const source = Plans.find((node) => node["Parent Relationship"] === "Outer");
  if (source === undefined) return true;
  const merchant = source.Output?.[placeOf(table, plan.columns)] ?? "";
  if (namesMerchant(merchant, plan)) return true;
  return sourcesOf(source, plan).some((origin) => offersMerchant(origin, plan));
}

function placeOf(table: string, columns: Plan["columns"]): number {
  return (columns.get(table) ?? 0) - 1;
}

/** The parameter that the insert itself takes; one that a CTE passes on has no name in the plan. */
function insertedFor(
  { "Relation Name": table = "", Plans = [] }: Node,
  columns: Plan["columns"],
): readonly string[] {
  const source = Plans.find((node) => node["Parent Relationship"] === "Outer");
  return PARAMETER.exec(source?.Output?.[placeOf(table, columns)] ?? "")?.slice(1) ?? [];
}

const PARAMETER = /^\(*(\$\d+)\b/;

function namesMerchant(output: string, { scoped }: Plan): boolean {
  return PARAMETER.test(output) || scoped.some(({ Alias }) => output === `${Alias}.merchant_id`);
}

/** A plan doesn't say which column of its source a node passes on: one of them has to name the merchant. */
function sourcesOf(node: Node, { nodes }: Plan): readonly Node[] {
  if (node["Node Type"] !== "CTE Scan") return node.Plans ?? [];
  return nodes.filter((other) => other["Subplan Name"] === `CTE ${node["CTE Name"]}`);
}

function offersMerchant(node: Node, plan: Plan): boolean {
  return (
    (node.Output ?? []).some((output) => namesMerchant(output, plan)) ||
    sourcesOf(node, plan).some((source) => offersMerchant(source, plan))
  );
}

/** Which column of each table has the merchant, counted from 1. */
async function merchantColumns(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; place: number }>(
    `select c.relname as name, (select count(*)::int from pg_attribute b
       where b.attrelid = c.oid and b.attnum between 1 and a.attnum and not b.attisdropped) as place
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id' and c.relkind = 'r'`,
  );
  return new Map(rows.map(({ name, place }) => [name, place]));
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/**
 * Statements that a helper makes from parts, each of which takes its merchant anew. Their text alone does not show that it is
 * one merchant: a test runs them and compares the values.
 */
export const OF_PARTS: readonly string[] = [
  "customer_insert",
  "customer_update",
  "payment_instrument_delete",
  "payment_instrument_insert",
  "payment_instrument_update",
  "payment_request_insert_payid",
  "payment_request_update",
  "transaction_change",
  "transaction_change_late_approval",
  "transaction_insert",
  "transaction_insert_with_job",
];
