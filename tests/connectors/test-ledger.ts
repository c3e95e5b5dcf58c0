import { openLedger } from "../../src/connectors/sandbox/queries.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { cloneDatabase } from "../support/database.ts";

/** A simulator ledger in a database of its own. */
export async function openTestLedger() {
  const database = await cloneDatabase();
  const db = openDatabase({
    url: database.url,
    poolSize: 8,
    preparedStatements: true,
    onIdleError: () => {},
  });
  const close = async () => {
    await db.close();
    await database.drop();
  };
  return { ledger: openLedger(db, "test"), close };
}
