import type { Id } from "../../../../kernel/ids.ts";
import { onlyRow, type Parameter, type Statement, sql, type Tx } from "../../../../platform/db/database.ts";
import { hasPair, rowsWithPair } from "../../../../platform/db/metadata-pairs.ts";
import type { Listing, Row } from "../listing.ts";
import type { Searched } from "../search.ts";
import { ROWS_LOOKED_AT } from "../walk.ts";

const statements = new Map<string, Statement>();

/** Each set of filters is a statement with a plan of its own. */
export function statement(name: string, text: string): Statement {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made = sql(name, text);
  statements.set(name, made);
  return made;
}

/**
 * A limit that the planner does not learn. It expects a tenth of the rows to be read, and walks the index; a planner with old
 * statistics that knows the limit expects fewer rows than that, reads all there are, and sorts them.
 */
export const atMost = (rows: number) => `limit (select ${rows})`;

type Places = {
  /** Adds a parameter and returns its name. */
  readonly put: (value: Parameter) => string;
  readonly low: string;
  readonly high: string;
  readonly order: string;
  readonly pairRange: string;
};

/**
 * The rows of an equation, along the index (merchant, expression, id). It is written as a range, because the planner knows that
 * the rows of an equation are in the order of their ids as well: where it believes that all rows have the value, it would
 * walk the primary key, and pass every row when none has it.
 */
export function alongIndex(
  equation: string,
  { low, high, order }: Pick<Places, "low" | "high" | "order">,
): { readonly range: string; readonly expression: string; readonly ordered: string } {
  const cut = equation.indexOf(" = ");
  const [expression, value] = [equation.slice(0, cut), equation.slice(cut + 3)];
  return {
    range: `${expression} >= ${value} and ${expression} <= ${value}
      and (${expression}, id) >= (${value}, ${low}) and (${expression}, id) < (${value}, ${high})`,
    expression,
    ordered: `${expression} ${order}, id ${order}`,
  };
}

type Entries = {
  readonly table: string;
  /** Of the index (merchant, expression, id). */
  readonly expression: string;
  readonly value: string;
  /** The index has only rows with it. */
  readonly condition?: string;
  readonly columns?: string;
};

/** Entries of an index with one value, as a table. It reads no more of them than a search by way of them may pass. */
export function entriesOf({ table, expression, value, condition = "true", columns = "id" }: Entries): string {
  return `(select ${columns} from ${table} where merchant_id = $1 and ${expression} >= ${value} and ${expression} <= ${value}
    and ${condition} order by ${expression}, ${table}.id ${atMost(ROWS_LOOKED_AT + 1)})`;
}

/**
 * Whether the searched text leads to so many entries of other tables that a walk over all rows finds one of its rows soon. Fewer
 * are read all of them, so no row that fits is left out.
 */
export async function isCommon(
  tx: Tx,
  merchantId: Id<"merchant">,
  listing: Listing<Row>,
  search: readonly Searched[],
): Promise<boolean> {
  for (const { kind, value } of search) {
    const sought = kind === "metadata" ? undefined : listing.search?.[kind];
    if (sought === undefined || typeof sought === "string") continue;
    const count = statement(
      `dashboard_${listing.name}_by_${kind}`,
      `select count(*) from (select from (${withValue(sought.ids, "$2")}) as entry ${atMost(ROWS_LOOKED_AT + 1)}) as passed`,
    );
    const { count: entries } = onlyRow(await tx.rows<{ count: number }>(count, [merchantId, value]));
    if (entries > ROWS_LOOKED_AT) return true;
  }
  return false;
}

/** What a row has to fit, for a walk over all rows. */
export function searchCondition(
  listing: Listing<Row>,
  search: readonly Searched[],
  put: Places["put"],
): string {
  const conditions = search.flatMap(({ kind, value }) => {
    if (kind === "metadata")
      return listing.filters["metadata"] === undefined ? [] : [hasPair("passed.id", put(value))];
    const sought = listing.search?.[kind];
    if (sought === undefined) return [];
    return [
      typeof sought === "string" ? sought.replace("?", put(value)) : withValue(sought.fits, put(value)),
    ];
  });
  return conditions.length === 0 ? "false" : conditions.join(" or ");
}

function withValue(text: string, value: string): string {
  return text.replaceAll(":value", value);
}

/**
 * One branch for each meaning, each along its index and with at most that many rows; a row that fits two is in the first
 * alone.
 */
export function searchRows(
  listing: Listing<Row>,
  search: readonly Searched[],
  places: Places,
): (rowsOfEach: number) => string {
  const { table } = listing;
  const { put, low, high, order, pairRange } = places;
  const earlier: string[] = [];
  const branches = search.flatMap(({ kind, value }): readonly ((limit: string) => string)[] => {
    const other = earlier.map((one) => ` and (${one}) is not true`).join("");
    if (kind === "metadata") {
      if (listing.filters["metadata"] === undefined) return [];
      const rows = rowsWithPair({ table, pair: put(value), range: pairRange });
      return [
        (limit) =>
          `(select ${table}.* from ${rows} where true${other} order by pair.resource_id ${order} ${limit})`,
      ];
    }
    const sought = listing.search?.[kind];
    if (sought === undefined) return [];
    if (typeof sought !== "string") {
      const ids = withValue(sought.ids, put(value));
      return [
        (limit) => `(select ${table}.* from (
            select distinct id from (${ids}) as entry where id >= ${low} and id < ${high} order by id ${order} ${limit}) as found
          cross join lateral (select * from ${table} where merchant_id = $1 and id = found.id offset 0) as ${table}
          where true${other} order by found.id ${order})`,
      ];
    }
    const condition = sought.replace("?", put(value));
    earlier.push(condition);
    const { range, ordered } = alongIndex(condition, places);
    return [
      (limit) =>
        `(select * from ${table} where merchant_id = $1 and ${range}${other} order by ${ordered} ${limit})`,
    ];
  });
  return (rowsOfEach) =>
    branches.length === 0
      ? `select * from ${table} where merchant_id = $1 and id >= ${low} and id < ${high} and false`
      : branches.map((branch) => branch(atMost(rowsOfEach))).join(" union all ");
}
