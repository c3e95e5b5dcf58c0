import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runProof, runTogether } from "./run-proof.ts";

const support = (name: string) => JSON.stringify(import.meta.resolve(`../../tests/support/${name}.ts`));

/** Runs a proof of these lines on a database that answers each question about violations with this one. */
async function findingOf(violation: { readonly id: string }, work: string) {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-run-proof-"));
  const file = join(folder, "fails.test.ts");
  const lines = [
    `import { test } from "node:test";`,
    `import { declareProof } from ${support("proof")};`,
    `import { assertInvariants } from ${support("invariants")};`,
    `import { settle } from ${support("settle")};`,
    `declareProof("fails", ["I1", "I5", "I21"]);`,
    `const found = [${JSON.stringify({ ...violation, subject: "txn_1", about: "a violation" })}];`,
    `const database = { rows: async () => found };`,
    `test("fails", async () => {\n${work}\n});`,
  ];
  try {
    await writeFile(file, lines.join("\n"));
    const proof = { name: "fails", file, invariants: [], hasLongSize: true, sharesProcess: false };
    return await runProof(proof, { long: false, seed: 7 }, {});
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The verdicts of tests with these bodies that share a process, and what the last of them names as broken. */
async function verdictsOf(...bodies: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-run-together-"));
  try {
    const proofs = bodies.map((_, at) => {
      const file = join(folder, `${at}.test.ts`);
      return { name: `${at}`, file, invariants: ["I18"] as const, hasLongSize: false, sharesProcess: true };
    });
    for (const [at, { file }] of proofs.entries())
      await writeFile(
        file,
        `import { test } from "node:test";\ntest("holds", async () => {\n${bodies[at]}\n});`,
      );
    const findings = await runTogether(proofs, { long: false, seed: 7 }, {});
    return { verdicts: findings.map(({ verdict }) => verdict), broken: findings.at(-1)?.broken };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const OVER_A_MINUTE_AGO = "Date.now() - 61_000";

describe("a proof that fails names the invariant", () => {
  test("that the checker found broken", async () => {
    const { verdict, broken } = await findingOf({ id: "I5" }, "await assertInvariants(database);");
    assert.deepEqual([verdict, broken], ["FAILED", ["I5"]]);
  });

  test("of what does not settle, also where the fault run describes it", async () => {
    const { verdict, broken, output } = await findingOf(
      { id: "I21" },
      `await settle(database, ${OVER_A_MINUTE_AGO});`,
    );
    assert.deepEqual([verdict, broken], ["FAILED", ["I21"]], output);
    const described = await findingOf(
      { id: "I21" },
      `await settle(database, ${OVER_A_MINUTE_AGO}).catch((error) => {
         throw new Error(\`\${String(error)}\\n\${JSON.stringify({ jobs: ["it's due"] })}\`);
       });`,
    );
    assert.deepEqual(described.broken, ["I21"], described.output);
  });

  test("and no other one, and none where something else fails", async () => {
    const { verdict, broken } = await findingOf({ id: "I5" }, `throw new Error("I21 is not on record");`);
    assert.deepEqual([verdict, broken], ["FAILED", []]);
  });
});

describe("tests that share a process", () => {
  test("pass and fail each by itself", async () => {
    assert.deepEqual(await verdictsOf("", `throw new Error('"id":"I18"');`), {
      verdicts: ["passed", "FAILED"],
      broken: ["I18"],
    });
    assert.deepEqual(await verdictsOf("", ""), { verdicts: ["passed", "passed"], broken: [] });
  });

  test("have failed if their process ended before the runner reported them, or badly after it", async () => {
    assert.equal((await verdictsOf("", "process.exit(0);")).verdicts.at(-1), "FAILED");
    assert.deepEqual((await verdictsOf("", `process.on("exit", () => process.exit(3));`)).verdicts, [
      "FAILED",
      "FAILED",
    ]);
  });
});
