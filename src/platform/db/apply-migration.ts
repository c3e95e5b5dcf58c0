import type pg from "pg";
import { sqlState } from "./database.ts";
import { MigrationError } from "./migration-error.ts";

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string };

/** A migration that waits for a lock keeps every later query on that table waiting, too: so it gives up soon, and tries again. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_ATTEMPTS = 15;
const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";

/** Repeats work that waited for a lock for too long, or lost a deadlock with a payment. */
async function whenFree<Result>(
  migration: Migration,
  stopping: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    stopping?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      if (state !== LOCK_NOT_AVAILABLE && state !== DEADLOCK_DETECTED) throw error;
      if (attempt === LOCK_ATTEMPTS) {
        throw new MigrationError(
          `migration ${migration.name} waits for a table that another transaction has locked; end that transaction (see pg_stat_activity) and try again`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
    }
  }
}

/** Migrations that build an index on a large table say this in their first line. Each statement can be repeated. */
const OUTSIDE_A_TRANSACTION = "-- Outside a transaction.";

/** Applies a migration in a transaction, or its statements one by one, and records it. */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  statements: readonly string[],
  stopping?: AbortSignal,
): Promise<void> {
  const record = () =>
    client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
  if (migration.text.startsWith(OUTSIDE_A_TRANSACTION)) {
    for (const statement of statements) {
      // Building an index concurrently waits for every older transaction, and makes none wait. If it fails it leaves an
      // invalid index: so it is not repeated here, but by the next run, together with the statement that drops the index.
      const isConcurrent = /\bconcurrently\b/i.test(statement);
      await client.query(
        `set statement_timeout = 0; set lock_timeout = ${isConcurrent ? 0 : LOCK_TIMEOUT_MS}`,
      );
      stopping?.throwIfAborted();
      if (isConcurrent) await client.query(statement);
      else await whenFree(migration, stopping, () => client.query(statement));
    }
    await record();
    return;
  }
  await whenFree(migration, stopping, async () => {
    await client.query("begin");
    try {
      await client.query(`set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const statement of statements) await client.query(statement);
      await record();
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  });
}
