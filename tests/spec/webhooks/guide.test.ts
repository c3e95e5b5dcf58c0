import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

describe("docs/guides/webhooks.md", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  /** Runs the guide's receiver as its own program beside a copy of the verifier. */
  async function runGuideReceiver(variables: Readonly<Record<string, string>>) {
    const guide = await readFile("docs/guides/webhooks.md", "utf8");
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];
    assert.ok(code.includes("verifyWebhook"));
    assert.ok(code.trim().split("\n").length <= 16, "twelve lines plus imports and closing brackets");
    const folder = await mkdtemp(join(tmpdir(), "tidegate-guide-"));
    after(() => rm(folder, { recursive: true, force: true }));
    await copyFile("packages/client/src/webhooks.ts", join(folder, "webhooks.ts"));
    // tests/client/package.test.ts compiles the block as it stands, against the installed package.
    await writeFile(join(folder, "receiver.ts"), code.replace("@tidegate/client/webhooks", "./webhooks.ts"));
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    const port = await freePort();
    const env = { PATH: process.env["PATH"], PORT: String(port), ...variables };
    const program = spawn(process.execPath, [join(folder, "receiver.ts")], { env });
    after(() => program.kill());
    let output = "";
    program.stdout.on("data", (text: Buffer) => {
      output += text.toString();
    });
    program.stderr.on("data", (text: Buffer) => {
      output += text.toString();
    });
    const url = `http://127.0.0.1:${port}/webhooks`;
    const isListening = () =>
      fetch(url, { method: "POST" }).then(
        () => true,
        () => false,
      );
    return { url, output: () => output, isListening, hasEnded: () => program.exitCode !== null };
  }

  test("its receiver accepts signed events and nothing else", async () => {
    const { signingKey } = (await gateway.get("/webhooks/signingkey")).body;
    const receiver = await runGuideReceiver({ SIGNING_KEY: signingKey });
    await eventually("the receiver listens", receiver.isListening);
    const made = await gateway.post("/webhooks", { event: "payment_requests", url: receiver.url });
    assert.equal(made.status, 200);
    const ping = (await gateway.post(`/webhooks/${made.body.id}/test`)).body;
    assert.deepEqual([ping.status, ping.httpStatus], ["delivered", 200], receiver.output());
    const { id, updatedDateTime } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
    await eventually("the receiver printed the request", async () =>
      receiver.output().includes(`payment_requests ${id} ${updatedDateTime}`),
    );
    const forged = await fetch(receiver.url, {
      method: "POST",
      body: "{}",
      headers: { "x-signature": "00" },
    });
    assert.equal(forged.status, 401);
  });

  test("its receiver does not start without a key", async () => {
    for (const variables of [{}, { SIGNING_KEY: "" }]) {
      const receiver = await runGuideReceiver(variables);
      await eventually(
        "the receiver has ended",
        async () => receiver.hasEnded() || (await receiver.isListening()),
      );
      assert.ok(receiver.hasEnded(), "the receiver listens without a key");
      assert.match(receiver.output(), /SIGNING_KEY is not set/);
    }
  });
});
