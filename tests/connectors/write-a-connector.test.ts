import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { blocksOf } from "../support/guide-blocks.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const GUIDE = "docs/guides/write-a-connector.md";

/** What the guide's files import. */
const LINKED = [
  "src/kernel",
  "src/platform",
  "src/connectors/ports",
  "tests/connectors/card-acquirer-contract.ts",
  "tests/connectors/drive-acquirer.ts",
];

/** The guide's files, in their places beside the repository's own. */
async function writeFiles(): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  await mkdir(join(ROOT, ".scratch"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, ".scratch/connector-"));
  const files: string[] = [];
  for (const path of LINKED) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(join(ROOT, path), join(folder, path));
  }
  for (const { kind, text } of await blocksOf(GUIDE)) {
    const [, path] = /^\/\/ \.\/(\S+\.ts)\n/.exec(text) ?? [];
    if (kind !== "ts" || path === undefined) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    files.push(path);
  }
  return { folder, files };
}

const { folder, files } = await writeFiles();
after(() => rm(folder, { recursive: true }));
before(() => assert.equal(files.length, 5, files.join()));

// The contract suite and the transcript of the guide's connector.
await import(pathToFileURL(join(folder, "tests/connectors/plainpay.test.ts")).href);

test("the guide's connector compiles under the repository's settings", async () => {
  const settings = { extends: join(ROOT, "tsconfig.json"), include: files, exclude: [] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = await promisify(execFile)(tsc, ["-p", folder]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
});
