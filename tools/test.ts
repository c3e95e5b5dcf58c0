/**
 * Runs the tests: starts one PostgreSQL for all of them, migrates a template database, and passes its URL to each test
 * file; a file clones the template (about 40 ms).
 *
 *   npm test                                      the static checks, then every test
 *   npm test -- tests/spec/lifecycles.test.ts     only these files, without the checks
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../src/platform/db/migrate.ts";
import { openEmbeddedPostgres } from "../src/platform/embedded-postgres/index.ts";
import { CITUS_URL, makeDistributedTemplate } from "../tests/support/citus.ts";
import { TEMPLATE } from "../tests/support/database.ts";

const EVERYTHING = ["src/**/*.test.ts", "browser/**/*.test.ts", "tools/**/*.test.ts", "tests/**/*.test.ts"];
/** Proofs that take minutes run with `npm run proof`. */
const LONG = "tests/proofs/";
/** They need counterparts that not every machine has, and fetch them: `npm run interop`. */
const INTEROP = "tests/interop/";
const TIMEOUT_MS = 240_000;
const TIMEOUT_OF_PROOFS_MS = 3_600_000;

async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  if (chosen.length === 0) {
    const failed = await run(process.execPath, ["tools/check.ts"], {});
    if (failed !== 0) return failed;
  }
  const files = chosen.length > 0 ? chosen : everything();
  if (files.some((file) => file.includes("tests/browser/"))) {
    const { ensureChromium } = await import("./chromium.ts");
    ensureChromium();
  }
  const isProof = files.every((file) => file.startsWith(LONG) || file.startsWith(INTEROP));
  const timeout = `--test-timeout=${isProof ? TIMEOUT_OF_PROOFS_MS : TIMEOUT_MS}`;
  const folder = await mkdtemp(join(tmpdir(), "tidegate-test-"));
  const compiled = await mkdtemp(join(tmpdir(), "tidegate-compiled-"));
  const server = await openEmbeddedPostgres({ dataDir: folder, holdFolder: true, notice: console.log });
  try {
    await makeTemplate(server.url);
    if (CITUS_URL !== undefined) await makeDistributedTemplate(CITUS_URL, TEMPLATE);
    return await run(process.execPath, ["--test", timeout, "--test-concurrency=2", ...files], {
      TIDEGATE_TEST_DATABASE_URL: server.url,
      TIDEGATE_TEST_DATA_DIR: folder,
      // Every file is a separate process; they share compiled code.
      NODE_COMPILE_CACHE: compiled,
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(compiled, { recursive: true, force: true });
  }
}

function everything(): readonly string[] {
  const files = EVERYTHING.flatMap((pattern) => globSync(pattern)).sort();
  return files.filter((file) => !file.startsWith(LONG) && !file.startsWith(INTEROP));
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

function run(
  command: string,
  parameters: readonly string[],
  extra: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { stdio: "inherit", env: { ...process.env, ...extra } });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

process.exit(await main());
