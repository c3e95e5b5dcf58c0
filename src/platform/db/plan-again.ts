import type pg from "pg";

const AFTER_USES: ReadonlySet<number> = new Set([50, 500, 2_000, 10_000]);

/**
 * PostgreSQL keeps the plan of a prepared statement until a table of it is analysed. One that a connection made while the
 * tables were empty may read all rows of a merchant, so a young connection makes its plans again from time to time.
 */
export function planAgainAsTablesGrow(): (client: pg.PoolClient) => void {
  const uses = new WeakMap<pg.PoolClient, number>();
  return (client) => {
    const count = (uses.get(client) ?? 0) + 1;
    uses.set(client, count);
    // A connection that is broken says so to the statement that follows.
    if (AFTER_USES.has(count)) client.query("discard plans").catch(() => {});
  };
}
