import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findPostmaster } from "../../src/platform/embedded-postgres/find-postmaster.ts";
import { openEmbeddedPostgres } from "../../src/platform/embedded-postgres/index.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";

/** A database server of one test, which it may kill. It restarts by itself, at the same address. */
export type OwnPostgres = {
  readonly database: TestDatabase;
  /** Where its files are. */
  readonly folder: string;
  /** `kill -9` of the server. */
  readonly kill: () => Promise<void>;
  /** Waits until the server runs again after a kill or a crash. */
  readonly untilBack: (withinMs?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startOwnPostgres(place?: string): Promise<OwnPostgres> {
  const folder = place ?? (await mkdtemp(join(tmpdir(), "tidegate-own-")));
  const server = await openEmbeddedPostgres({ dataDir: folder, holdsFolder: true, notice: () => {} });
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  pool.on("error", () => {});
  const rows = async (text: string, values: readonly unknown[] = []) =>
    (await pool.query(text, [...values])).rows;
  const database: TestDatabase = {
    url: server.url,
    rows: rows as TestDatabase["rows"],
    drop: async () => {},
  };
  const serverPid = async () => (await findPostmaster(join(folder, "postgres", "data")))?.pid;
  let killed: number | undefined;
  return {
    database,
    folder,
    kill: async () => {
      killed = await serverPid();
      if (killed === undefined) throw new Error("the server is not running");
      process.kill(killed, "SIGKILL");
    },
    // On a new connection: sessions of the old server may outlive it briefly.
    untilBack: async (withinMs = 60_000) => {
      await eventually(
        "the server is running again",
        async () => {
          const pid = await serverPid();
          return pid !== undefined && pid !== killed && connects(server.url);
        },
        withinMs,
      );
    },
    stop: async () => {
      await pool.end();
      await server.stop();
      if (place === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
