import { openDatabase } from "../../src/platform/db/database.ts";
import { openLedger } from "../../src/platform/ledger/queries.ts";
import { cloneDatabase } from "../support/database.ts";

/** A book of its own, in a database of its own. */
export async function openTestBook() {
  const place = await cloneDatabase();
  const db = openDatabase({
    url: place.url,
    poolSize: 8,
    preparedStatements: true,
    onIdleError: () => {},
  });
  const close = async () => {
    await db.close();
    await place.drop();
  };
  return { book: openLedger(db, "test"), close };
}
