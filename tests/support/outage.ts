import pg from "pg";
import { CITUS_URL } from "./citus.ts";
import type { TestDatabase } from "./database.ts";

/** Acts on a database from outside, as an operator or a failing machine does. */
async function fromOutside(database: TestDatabase, work: (client: pg.Client, name: string) => Promise<void>) {
  const client = new pg.Client({ connectionString: process.env["TIDEGATE_TEST_DATABASE_URL"] });
  await client.connect();
  try {
    await work(client, new URL(database.url).pathname.slice(1));
  } finally {
    await client.end();
  }
}

const CUT =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()";

/** Terminates every connection; new ones are accepted at once. */
export async function cutConnections(database: TestDatabase): Promise<void> {
  await fromOutside(database, async (client, name) => {
    await client.query(CUT, [name]);
  });
}

/** Terminates every connection and refuses new ones. */
export async function refuseConnections(database: TestDatabase): Promise<void> {
  await fromOutside(database, async (client, name) => {
    await client.query(`alter database ${name} with allow_connections false`);
    await client.query(CUT, [name]);
  });
}

export async function allowConnections(database: TestDatabase): Promise<void> {
  await fromOutside(database, async (client, name) => {
    await client.query(`alter database ${name} with allow_connections true`);
  });
}

/** Sets the defaults of new connections. */
export async function setDefaults(
  database: TestDatabase,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await fromOutside(database, async (client, name) => {
    for (const [setting, value] of Object.entries(settings)) {
      await client.query(`alter database ${name} set ${setting} to ${pg.escapeLiteral(value)}`);
    }
  });
}

/** Locks a table against other writers; the returned function releases it. */
export async function holdTable(database: TestDatabase, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  client.on("error", () => {});
  await client.connect();
  await client.query(`begin; lock table ${table} in exclusive mode`);
  return async () => {
    await client.query("rollback").catch(() => {});
    await client.end();
  };
}

/** How many gateway connections are waiting for a lock; on a Citus cluster, at the coordinator or at another server. */
export async function waiting(database: TestDatabase): Promise<number> {
  const rows = await database.rows(
    CITUS_URL === undefined
      ? `select 1 from pg_stat_activity
         where datname = current_database() and application_name = 'tidegate' and wait_event_type = 'Lock'`
      : `select distinct global_pid from citus_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}
