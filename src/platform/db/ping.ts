import { sql, type Tx } from "./database.ts";

const PING = sql("ping", "select 1 as one");

/** Throws when the database does not answer. */
export async function ping(tx: Tx): Promise<void> {
  await tx.rows(PING, []);
}
