import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { readDigests } from "./digests.ts";

const PROOF = { name: "kill", file: "tests/proofs/kill.test.ts" };
const FILES: Readonly<Record<string, string>> = {
  "src/app/main.ts": `import "./other.ts";`,
  "src/app/other.ts": "",
  "browser/payui/main.ts": "",
  "migrations/0001-first.sql": "select 1;",
  "bin/run.js": "",
  "package-lock.json": "{}",
  "tools/test-database.ts": `import "./bundle-programs.ts";`,
  "tools/bundle-programs.ts": "",
  "tests/proofs/kill.test.ts": `import { load } from "../support/load.ts";\nimport "../../src/app/main.ts";\nconst GUIDE = "docs/guides/operating.md";`,
  "tests/support/load.ts": `const NODE = join(import.meta.dirname, "node.ts");\nimport "./load.ts";`,
  "tests/support/node.ts": "",
  "tests/support/unused.ts": "",
  "docs/guides/operating.md": "",
};

/** The digests of a checkout with these files, some of them changed. */
async function digestsOf(change: Readonly<Record<string, string>> = {}) {
  const root = await mkdtemp(join(tmpdir(), "tidegate-digests-"));
  try {
    for (const [file, text] of Object.entries({ ...FILES, ...change })) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    const { product, proofs } = readDigests([PROOF], root);
    return { product, proof: proofs["kill"] };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe("digests", () => {
  test("of the same files are the same, wherever the checkout is", async () => {
    const digests = await digestsOf();
    assert.deepEqual(await digestsOf(), digests);
    assert.match(digests.product, /^[0-9a-f]{64}$/);
    assert.notEqual(digests.product, digests.proof);
  });

  test("of the product change with each file of it, and those of the proof do not", async () => {
    const { product, proof } = await digestsOf();
    const files = ["src/app/other.ts", "browser/payui/main.ts", "migrations/0001-first.sql", "bin/run.js"];
    for (const file of [...files, "package-lock.json", "src/app/added.ts"]) {
      const changed = await digestsOf({ [file]: "changed" });
      assert.notEqual(changed.product, product, file);
      assert.equal(changed.proof, proof, file);
    }
  });

  test("of a proof change with each file that it imports, starts or reads, and with no other", async () => {
    const { product, proof } = await digestsOf();
    const text = (file: string) => `${FILES[file]}\n// changed`;
    for (const file of Object.keys(FILES).filter((name) => /^(?:tests|tools|docs)/.test(name))) {
      const changed = await digestsOf({ [file]: text(file) });
      assert.equal(changed.product, product, file);
      assert.equal(changed.proof === proof, file === "tests/support/unused.ts", file);
    }
  });
});
