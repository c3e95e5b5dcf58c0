import { randomBytes } from "node:crypto";
import pg from "pg";

/** A migrated, empty database that test files clone. `tools/test.ts` creates it. */
export const TEMPLATE = "tidegate_template";

export type TestDatabase = {
  readonly url: string;
  /** Queries the tables directly, past the gateway. */
  readonly rows: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  readonly drop: () => Promise<void>;
};

/** Clones the template into a new database for one test file. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const server = process.env["TIDEGATE_TEST_DATABASE_URL"];
  if (server === undefined)
    throw new Error("run tests with `npm test -- <files>`: they need the test database");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await once(server, `create database ${name} template ${TEMPLATE}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on("error", () => {});
  return {
    url: url.href,
    rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
    drop: async () => {
      await pool.end();
      await once(server, `drop database if exists ${name} with (force)`);
    },
  };
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
