import pg from "pg";
import type { TestDatabase } from "../database.ts";
import { findViolations, type Violation } from "../invariants.ts";

/**
 * The rules of every proof, where a sandbox merchant has a host of its own. It is not in the sandbox's ledger, so it counts
 * as live here; its host's ledger is compared apart.
 */
export async function findBesideHost(
  database: Pick<TestDatabase, "url">,
  merchantOfHost: string,
): Promise<readonly Violation[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("update merchants set mode = 'live', founding = false where id = $1", [
      merchantOfHost,
    ]);
    // Its host wants the number again with a refund, so that number outlives the payment.
    await client.query(
      `delete from vault_secrets where merchant_id = $1 and instrument_id not in (select id from payment_instruments)`,
      [merchantOfHost],
    );
    return await findViolations({
      rows: async (text, values = []) => (await client.query(text, [...values])).rows,
    });
  } finally {
    await client.end();
  }
}
