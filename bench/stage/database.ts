import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openEmbeddedPostgres } from "../../src/platform/embedded-postgres/index.ts";

export type BenchServer = {
  /** Creates a database, empty or a copy of one without connections, and returns its URL. */
  readonly newDatabase: (name: string, copyOf?: string) => Promise<string>;
};

/** An operator's own server, to measure on the machine and the settings that will carry the load. */
const OWN_SERVER = process.env["TIDEGATE_BENCH_DATABASE_URL"];

/**
 * The server of TIDEGATE_BENCH_DATABASE_URL, or an embedded PostgreSQL with its usual settings (fsync on) in a folder that is
 * removed afterwards.
 */
export async function startDatabaseServer(stage: AsyncDisposableStack): Promise<BenchServer> {
  const server = OWN_SERVER ?? (await startEmbeddedServer(stage));
  return {
    newDatabase: async (name, copyOf = "template1") => {
      const database = `tidegate_bench_${name}`;
      const template = copyOf === "template1" ? copyOf : `tidegate_bench_${copyOf}`;
      await query(server, `create database ${database} template ${template}`);
      if (OWN_SERVER !== undefined)
        stage.defer(async () => void (await query(server, `drop database ${database} with (force)`)));
      const url = new URL(server);
      url.pathname = `/${database}`;
      return url.href;
    },
  };
}

async function startEmbeddedServer(stage: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-bench-"));
  stage.defer(() => rm(folder, { recursive: true, force: true }));
  const opening = openEmbeddedPostgres({ dataDir: folder, holdsFolder: true, notice: console.error });
  // Registered before it is open, so that an interruption leaves no server behind.
  stage.defer(async () => (await opening).stop());
  return (await opening).url;
}

/** Runs one statement on a new connection, so that no open connection affects the measured ones. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the only row of a statement. */
export async function queryOne<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row> {
  const [row] = await query<Row>(url, text);
  if (row === undefined) throw new Error(`no row from: ${text}`);
  return row;
}
