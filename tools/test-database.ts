import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../src/platform/db/migrate.ts";
import { openEmbeddedPostgres } from "../src/platform/embedded-postgres/index.ts";
import { CITUS_URL, makeDistributedTemplate } from "../tests/support/citus.ts";
import { TEMPLATE } from "../tests/support/database.ts";
import { bundlePrograms } from "./bundle-programs.ts";

const CACHE = join(import.meta.dirname, "../node_modules/.cache");

/**
 * Nothing in this server outlives the tests, so it never waits for the disk: `drop database` alone waited a second for it.
 * Tests that kill a server, or that are about what is on the disk, start one of their own.
 */
const NEEDS_NO_DISK = [
  ...["fsync=off", "full_page_writes=off", "synchronous_commit=off"],
  ...["wal_level=minimal", "max_wal_senders=0", "wal_init_zero=off", "checkpoint_timeout=1h"],
];

/** What test files need in their environment. */
export type TestEnvironment = Readonly<Record<string, string>>;

/** Starts one PostgreSQL with a migrated template, of which each test file clones its database (about 40 ms). */
export async function withTestDatabase<Result>(
  work: (environment: TestEnvironment) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-test-"));
  await mkdir(CACHE, { recursive: true });
  const compiled = await mkdtemp(join(CACHE, "tidegate-tests-"));
  const server = await openEmbeddedPostgres({
    dataDir: folder,
    holdsFolder: true,
    notice: console.log,
    serverSettings: NEEDS_NO_DISK,
  });
  try {
    await makeTemplate(server.url);
    if (CITUS_URL !== undefined) await makeDistributedTemplate(CITUS_URL, TEMPLATE);
    const programs = await bundlePrograms(compiled);
    return await work({
      TIDEGATE_TEST_DATABASE_URL: server.url,
      TIDEGATE_TEST_DATA_DIR: folder,
      TIDEGATE_TEST_GATEWAY: programs.gateway,
      TIDEGATE_TEST_CLI: programs.cli,
      // Every file is a separate process; they share compiled code.
      NODE_COMPILE_CACHE: compiled,
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(compiled, { recursive: true, force: true });
  }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.href);
}

/** Runs a program with this terminal; returns its exit code. */
export function run(command: string, parameters: readonly string[], extra: TestEnvironment): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { stdio: "inherit", env: { ...process.env, ...extra } });
    child.on("close", (code) => resolve(code ?? 1));
  });
}
