import { type Statement, sql } from "./statement.ts";

/** One part of a merged statement: the name under which later parts refer to it, and its own parameters from $1 on. */
export type Part = { readonly as: string; readonly text: string };

/**
 * One statement, and with it one transaction and one round trip, from several. It takes the parameters of its parts one
 * after another and returns the rows of `result`, the name of one of them.
 */
export function mergeParts(
  name: string,
  parts: readonly Part[],
  result: string,
  options?: { readonly emitsEvent?: boolean },
): Statement {
  let taken = 0;
  const texts = parts.map(({ as, text }) => {
    const shifted = text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${Number(place) + taken}`);
    taken += Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
    return `${as} as (${shifted})`;
  });
  return sql(name, `with ${texts.join(",\n")}\nselect * from ${result}`, options);
}

/** Inserts one row of values for each row of `from`: none where an earlier part found that nothing may be written. */
export function insertFrom(table: string, columns: string, from: string): string {
  const values = columns.split(",").map((_, index) => `$${index + 1}`);
  return `insert into ${table} (${columns}) select ${values.join(", ")} from ${from}`;
}
