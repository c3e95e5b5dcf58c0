import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

/** A PostgreSQL that is installed on this machine, with its client programs, as an operator has it. */
export type SystemPostgres = {
  /** Where `pg_dump` and the others are. */
  readonly programs: string;
  readonly urlOf: (database: string) => string;
  readonly stop: () => Promise<void>;
};

/** The newest installed version, if any. */
export function findSystemPostgres(): string | undefined {
  return globSync("/usr/lib/postgresql/*/bin")
    .sort()
    .findLast((folder) => ["initdb", "postgres", "pg_dump"].every((name) => existsSync(join(folder, name))));
}

/** The uid of the account `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export async function startSystemPostgres(
  programs: string,
  databases: readonly string[],
): Promise<SystemPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-postgres-"));
  const root = process.getuid?.() === 0;
  const as = root ? { uid: NOBODY, gid: NOBODY } : {};
  if (root) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  const initdb = ["--auth=trust", "--username=tidegate", "--no-sync", "-D", data];
  execFileSync(join(programs, "initdb"), initdb, { ...as, stdio: "pipe" });
  const port = await freePort();
  const settings = ["-c", `port=${port}`, "-c", `unix_socket_directories=${folder}`, "-c", "fsync=on"];
  const server = spawn(join(programs, "postgres"), ["-D", data, ...settings], { ...as, stdio: "ignore" });
  const gone = new Promise((resolve) => server.on("close", resolve));
  const urlOf = (database: string) => `postgres://tidegate@127.0.0.1:${port}/${database}`;
  const stop = async () => {
    server.kill("SIGINT");
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually("the server answers", () => query(urlOf("postgres"), "select 1").catch(() => false));
    for (const name of databases) await query(urlOf("postgres"), `create database ${name}`);
    return { programs, urlOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function query(url: string, statement: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
    return true;
  } finally {
    await client.end();
  }
}
