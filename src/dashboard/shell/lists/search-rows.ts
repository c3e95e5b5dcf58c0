import type { Parameter } from "../../../platform/db/database.ts";
import { rowsWithPair } from "../../../platform/db/metadata-pairs.ts";
import type { Listing, Row } from "./listing.ts";
import type { Searched } from "./search.ts";

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
  const branches = search.flatMap(({ kind, value }) => {
    const other = earlier.map((one) => ` and (${one}) is not true`).join("");
    if (kind === "metadata") {
      if (listing.filters["metadata"] === undefined) return [];
      const rows = rowsWithPair({ table, pair: put(value), range: pairRange });
      return [`(select ${table}.* from ${rows} where true${other} order by pair.resource_id ${order}`];
    }
    const sought = listing.search?.[kind];
    if (sought === undefined) return [];
    if (sought.includes(":value")) {
      const named: Readonly<Record<string, string>> = { value: put(value), low, high, order };
      const from = sought.replace(/:(value|low|high|order)\b/g, (_all, name: string) => named[name] ?? "");
      return [`(select ${table}.* from ${from} where true${other} order by ${table}.id ${order}`];
    }
    const condition = sought.replace("?", put(value));
    earlier.push(condition);
    const { range, ordered } = alongIndex(condition, places);
    return [`(select * from ${table} where merchant_id = $1 and ${range}${other} order by ${ordered}`];
  });
  return (rowsOfEach) =>
    branches.length === 0
      ? `select * from ${table} where merchant_id = $1 and id >= ${low} and id < ${high} and false`
      : branches.map((one) => `${one} ${atMost(rowsOfEach)})`).join(" union all ");
}
