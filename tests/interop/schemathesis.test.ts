import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { payOnce, shopOf } from "../support/checkout.ts";
import { startTestGateway, TEST_KEY } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { isLong, proofSeed, sized } from "../support/proof.ts";
import { storedCard } from "../support/stored-cards.ts";

const run = promisify(execFile);
/** A fuzzer that reads OpenAPI, from PyPI. It is run, and no part of the gateway. */
const SCHEMATHESIS = "schemathesis==4.32.5";
const EXAMPLES = sized(15, 300);
const PHASES = isLong ? "examples,coverage,fuzzing,stateful" : "examples,coverage,fuzzing";
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
  "response_headers_conformance",
];
/** They call the domain or URL that the request names, which would leave this machine. */
const LEFT_OUT = ["registerApplePayDomains", "createWebhook", "changeWebhook"];
const OUTPUT = { maxBuffer: 256 * 1024 * 1024 };

/** Installs it into a folder of its own; returns the program, or why there is none. */
async function install(folder: string): Promise<{ readonly program: string } | { readonly reason: string }> {
  const own = process.env["TIDEGATE_SCHEMATHESIS"];
  if (own !== undefined) return { program: own };
  try {
    await run("python3", ["-m", "venv", folder], OUTPUT);
  } catch (error) {
    return { reason: `python3 has no venv here: ${String(error).slice(0, 200)}` };
  }
  try {
    await run(join(folder, "bin", "pip"), ["install", "--quiet", SCHEMATHESIS], OUTPUT);
  } catch (error) {
    return { reason: `pip cannot fetch ${SCHEMATHESIS}: ${String(error).slice(0, 200)}` };
  }
  return { program: join(folder, "bin", "schemathesis") };
}

test("schemathesis finds no 5xx, and no answer that differs from its description", {
  timeout: 3_600_000,
}, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-schemathesis-"));
  const installed = await install(join(folder, "venv"));
  if ("reason" in installed) {
    context.skip(installed.reason);
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
      ...[
        "run",
        `${gateway.baseUrl}/openapi.json`,
        "--url",
        gateway.baseUrl,
        "--header",
        `X-Api-Key: ${TEST_KEY}`,
      ],
      ...[
        "--checks",
        CHECKS.join(","),
        "--max-examples",
        String(EXAMPLES),
        "--seed",
        String(proofSeed),
        "--workers",
        "2",
      ],
      ...["--phases", PHASES, "--continue-on-failure", "--no-color"],
      ...[
        "--suppress-health-check",
        "all",
        "--report",
        "json",
        "--report-json-path",
        join(folder, "report.json"),
      ],
      ...LEFT_OUT.flatMap((name) => ["--exclude-operation-id", name]),
    ];
    const { code, output } = await run(installed.program, parameters, { cwd: folder, ...OUTPUT }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as {
          readonly code: number;
          readonly stdout: string;
          readonly stderr: string;
        };
        return { code, output: stdout + stderr };
      },
    );
    context.diagnostic(output.slice(-600));
    assert.equal(code, 0, output.slice(-20_000));
    await assertInvariants(gateway.database);
  } finally {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
