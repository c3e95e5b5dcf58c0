import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { payOnce, shopOf } from "../support/checkout.ts";
import { startTestGateway, TEST_KEY } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { storedCard } from "../support/stored-cards.ts";
import { installSchemathesis, runSchemathesis } from "./schemathesis/run-schemathesis.ts";

/** Of each operation, and of each way to make a request. */
const EXAMPLES = sized(5, 300);
const PHASES = isLong ? "examples,coverage,fuzzing,stateful" : "examples,fuzzing";
/** Of all operations together. The long run made 19,840: far fewer mean that the tool did not read the description. */
const FEWEST_CASES = sized(100, 10_000);
/** It calls the domain that the request names, which would leave this machine. */
const LEFT_OUT = ["registerApplePayDomains"];

const proof = declareProof(
  "a fuzzer from PyPI (schemathesis) finds no 5xx, no answer that differs from its description, no accepted request that it refuses, and, but for nine operations whose rules no schema states, no refused request that it accepts; registration of Apple Pay domains is left out",
  ["I20"],
);

test("schemathesis finds no 5xx, and no answer or acceptance that differs from the description", {
  timeout: sized(3_600_000, 6 * 3_600_000),
}, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-schemathesis-"));
  const installed = await installSchemathesis(join(folder, "venv"));
  if ("reason" in installed) {
    context.skip(proof.skip(installed.reason));
    await rm(folder, { recursive: true, force: true });
    return;
  }
  const gateway = await startTestGateway({
    environment: { TIDEGATE_RATE_LIMIT: "0", TIDEGATE_ROLES: "api,checkout,worker" },
  });
  try {
    await storedCard(shopOf(gateway));
    await payOnce(shopOf(gateway));
    const parameters = [
      ...["run", `${gateway.baseUrl}/openapi.json`, "--url", gateway.baseUrl],
      ...["--header", `X-Api-Key: ${TEST_KEY}`, "--phases", PHASES],
      ...["--max-examples", String(EXAMPLES), "--seed", String(proofSeed), "--workers", "2"],
      ...["--continue-on-failure", "--no-color", "--suppress-health-check", "all"],
      ...LEFT_OUT.flatMap((name) => ["--exclude-operation-id", name]),
    ];
    const { code, output } = await runSchemathesis(installed.program, parameters, folder);
    context.diagnostic(output.slice(-600));
    assert.equal(code, 0, output.slice(-20_000));
    const cases = casesIn(output);
    assert.ok(cases >= FEWEST_CASES, `only ${cases} cases: ${output.slice(-2_000)}`);
    proof.count({ "requests by schemathesis": cases });
    await assertInvariants(gateway.database);
  } finally {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** `Test cases: 1234 generated, …` at the end. */
function casesIn(output: string): number {
  const [, cases] =
    /(\d+) generated/.exec(output) ?? assert.fail(`no number of cases: ${output.slice(-2_000)}`);
  return Number(cases);
}
