import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { eventually } from "../../support/eventually.ts";
import { blocksOf } from "../../support/guide-blocks.ts";
import { type SpawnedGateway, spawnGateway } from "../../support/spawned-gateway.ts";

const A_MINUTE = 60;
/** An idle machine starts Node in about 50 ms. */
const PLAIN_START_SECONDS = 0.1;

/** The commands of the page in order: start, create a payment request, pay, read. */
async function commandsOf(path: string): Promise<readonly string[]> {
  return (await blocksOf(path)).filter(({ kind }) => kind === "sh").map(({ text }) => text.trim());
}

/** The minute is one of an idle machine: how much longer a plain start of Node takes, beside other tests and machines. */
async function slownessNow(): Promise<number> {
  const began = performance.now();
  await promisify(execFile)(process.execPath, ["--eval", "0"]);
  return (performance.now() - began) / 1_000 / PLAIN_START_SECONDS;
}

describe("a new developer takes a first payment in under a minute", () => {
  test("with the commands of README.md, from an empty data folder to a completed payment request", async (t) => {
    const [start, create, pay] = await commandsOf("README.md");
    assert.equal(start, "npm install && npm start");
    const [quick] = await commandsOf("docs/guides/quick-start.md");
    assert.equal(quick, start, "the quick start uses the same command");

    const dataDir = await mkdtemp(join(tmpdir(), "tidegate-first-"));
    const slowBefore = await slownessNow();
    const began = performance.now();
    let gateway: SpawnedGateway | undefined;
    try {
      // The packages are installed already, so npm install is not run.
      const environment = {
        // A new machine has no compile cache.
        NODE_DISABLE_COMPILE_CACHE: "1",
        TIDEGATE_DATA_DIR: dataDir,
        TIDEGATE_SANDBOX_API_KEY: "",
        TIDEGATE_VAULT_KEY: "",
      };
      const started = await spawnGateway({ byNpm: true, environment, untilReady: false });
      gateway = started;
      await eventually(
        "the gateway is ready",
        async () => started.stdout().includes("Tidegate is ready"),
        300_000,
      );
      const ready = performance.now();
      const banner = gateway.stdout();
      const [key] = /tg_sandbox_\S+/.exec(banner) ?? assert.fail(banner);
      const run = pasteInto(gateway, key, dataDir);

      const request = JSON.parse(await run(create ?? ""));
      assert.equal(request.paymentRequestStatus, "created");
      assert.match(await run(String(pay).replace("pr_…", request.id)), /completed[\s\S]*approved/);
      const seconds = (performance.now() - began) / 1_000;

      const paid = await fetch(`${gateway.baseUrl}/paymentrequests/${request.id}`, {
        headers: { "x-api-key": key },
      });
      assert.equal(
        ((await paid.json()) as { paymentRequestStatus: string }).paymentRequestStatus,
        "completed",
      );
      t.diagnostic(
        `npm start to ready: ${((ready - began) / 1_000).toFixed(1)} s; to the first payment: ${seconds.toFixed(1)} s`,
      );
      const slowness = Math.max(1, slowBefore, await slownessNow());
      assert.ok(seconds < A_MINUTE * slowness, `${seconds} s on a machine that is ${slowness} times slower`);

      const [pasted = assert.fail(banner)] = /curl [\s\S]*?\}'/.exec(banner) ?? [];
      assert.equal(
        JSON.parse(await run(pasted)).paymentRequestStatus,
        "created",
        "the printed command works too",
      );
    } finally {
      gateway?.signal("SIGTERM");
      await gateway?.exit;
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

/** Runs a command in the checkout with the same settings, as in another terminal. */
function pasteInto(gateway: SpawnedGateway, key: string, dataDir: string) {
  const env = {
    PATH: process.env["PATH"],
    HOME: dataDir,
    TIDEGATE_API_KEY: key,
    TIDEGATE_DATA_DIR: dataDir,
    TIDEGATE_API_PORT: new URL(gateway.baseUrl).port,
    TIDEGATE_HOSTED_PORT: new URL(gateway.hostedUrl).port,
  };
  return async (command: string): Promise<string> => {
    const here = command
      .replaceAll("http://localhost:4000", gateway.baseUrl)
      .replaceAll("http://localhost:4001", gateway.hostedUrl);
    return (await promisify(execFile)("bash", ["-euc", here], { env })).stdout;
  };
}
