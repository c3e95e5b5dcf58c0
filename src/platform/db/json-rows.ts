import type { Cell } from "./statement.ts";

/** Columns of rows that travel as JSON, with their types, in the order of their values. */
export type Columns = Readonly<
  Record<string, "text" | "text[]" | "bigint" | "boolean" | "json" | "timestamptz">
>;

export function namesOf(columns: Columns): string {
  return Object.keys(columns).join(", ");
}

/** One row, for a parameter of `jsonRows`. */
export function jsonRow(columns: Columns, values: readonly (Cell | readonly Cell[])[]): object {
  return Object.fromEntries(Object.keys(columns).map((name, index) => [name, values[index]]));
}

/** A statement takes no more rows than this. */
export const ROWS_AT_MOST = 32;

/**
 * The rows of a JSON parameter, as a table named `as`. `place` is the position of each, counted from 1: so rows of several
 * parameters belong together. JSON in a column is text here; `valuesOf` has it as JSON.
 *
 * PostgreSQL expects a hundred rows from a function, and would read a whole small table to join them. Of a range it expects one
 * row, so it looks each up by an index.
 */
export function jsonRows(parameter: string, columns: Columns, as: string): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type === "json" ? "text" : type}`);
  return `(select * from rows from (json_to_recordset(${parameter}::json) as (${typed.join(", ")}))
      with ordinality as r (${namesOf(columns)}, place)
    where place between 1 and ${ROWS_AT_MOST}) as ${as}`;
}

/** What an insert takes from rows of `jsonRows`. */
export function valuesOf(columns: Columns, as: string): string {
  return Object.entries(columns)
    .map(([name, type]) => `${as}.${name}${type === "json" ? "::json" : ""}`)
    .join(", ");
}

/** What an update takes from them, apart from the key. */
export function changesOf(columns: Columns, as: string, key: readonly string[]): string {
  return Object.entries(columns)
    .filter(([name]) => !key.includes(name))
    .map(([name, type]) => `${name} = ${as}.${name}${type === "json" ? "::json" : ""}`)
    .join(", ");
}
