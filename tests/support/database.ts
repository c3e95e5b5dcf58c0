import { randomBytes } from "node:crypto";
import pg from "pg";
import { CITUS_URL, cloneDistributed, dropDistributedDatabase, readCopies } from "./citus.ts";

/** A migrated, empty database that test files clone. `tools/test.ts` creates it. */
export const TEMPLATE = "tidegate_template";

export type TestDatabase = {
  readonly url: string;
  /** Queries the tables directly, past the gateway. */
  readonly rows: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Set on a Citus cluster, which does not have every query over all merchants: reads copies of the tables. */
  readonly readAll?: <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>;
  readonly drop: () => Promise<void>;
};

/** A database without tables, for a gateway that makes them. */
export function cloneEmptyDatabase(): Promise<TestDatabase> {
  return cloneDatabase("template1");
}

/** Clones the template into a new database for one test file; on a Citus cluster it makes a distributed one. */
export async function cloneDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const server = process.env["TIDEGATE_TEST_DATABASE_URL"];
  if (server === undefined)
    throw new Error("run tests with `npm test -- <files>`: they need the test database");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = new URL(CITUS_URL === undefined ? server : await cloneDistributed(CITUS_URL, TEMPLATE, name));
  if (CITUS_URL === undefined) {
    // As files, not page by page through the log: a third of the work on a server that never flushes.
    await once(server, `create database ${name} template ${template} strategy file_copy`);
  }
  url.pathname = `/${name}`;
  // Machines that test are busy, and few tests are about a database that is away.
  url.searchParams.set("connect_timeout", "60");
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on("error", () => {});
  return {
    url: url.href,
    rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
    ...(CITUS_URL !== undefined && { readAll: (text) => readCopies(url.href, text) as Promise<never[]> }),
    drop: async () => {
      await pool.end();
      if (CITUS_URL === undefined) await once(server, `drop database if exists ${name} with (force)`);
      else await dropDistributedDatabase(CITUS_URL, name);
    },
  };
}

/** Clones a database that `fill` has filled once for all test files that ask for this name. */
export async function cloneFilled(name: string, fill: (url: string) => Promise<void>): Promise<TestDatabase> {
  const server = new pg.Client({ connectionString: process.env["TIDEGATE_TEST_DATABASE_URL"] });
  await server.connect();
  try {
    await server.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await server.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) {
      const { url } = await cloneDatabase();
      await fill(url);
      await server.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
    }
    return await cloneDatabase(name);
  } finally {
    await server.end();
  }
}

async function once(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
