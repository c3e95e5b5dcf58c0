import { register, type Statement } from "./statement.ts";

/**
 * A statement that writes one more row in the same round trip: an event, a job. It takes that row's values after its own
 * parameters, and as one statement it never leaves one without the other.
 */
export function withInsert(statement: Statement, table: string, columns: string): Statement {
  const { name, text, emitsEvent, fanOut } = statement;
  const own = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
  const values = columns.split(",").map((_, index) => `$${own + index + 1}`);
  const insert = `${table}_row as (insert into ${table} (${columns}) values (${values.join(", ")}))`;
  const rest = text.startsWith("with ") ? `, ${text.slice("with ".length)}` : ` ${text}`;
  return register({
    name,
    text: `with ${insert}${rest}`,
    emitsEvent: emitsEvent || table === "events",
    fanOut,
  });
}
