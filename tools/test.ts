/**
 * Runs the tests: starts one PostgreSQL for all of them, migrates a template database, and passes its URL to each test
 * file; a file clones the template (about 40 ms).
 *
 *   npm test                                      the static checks, then every test
 *   npm test -- tests/spec/lifecycles.test.ts     only these files, without the checks
 */
import { globSync } from "node:fs";
import { run, withTestDatabase } from "./test-database.ts";

const EVERYTHING = ["src/**/*.test.ts", "browser/**/*.test.ts", "tools/**/*.test.ts", "tests/**/*.test.ts"];
/** Proofs that take minutes run with `npm run proof`. */
const LONG = "tests/proofs/";
/** They need counterparts that not every machine has: `npm run interop`. */
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
  const isProof = files.every((file) => file.startsWith(LONG));
  const timeout = `--test-timeout=${isProof ? TIMEOUT_OF_PROOFS_MS : TIMEOUT_MS}`;
  return withTestDatabase((environment) =>
    run(process.execPath, ["--test", timeout, "--test-concurrency=2", ...files], environment),
  );
}

function everything(): readonly string[] {
  const files = EVERYTHING.flatMap((pattern) => globSync(pattern)).sort();
  return files.filter((file) => !file.startsWith(LONG) && !file.startsWith(INTEROP));
}

process.exit(await main());
