import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { callApi, ok, type Shop, shopOf } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { type Fault, startFaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Block, blocksOf } from "../support/guide-blocks.ts";

const run = promisify(execFile);
const GUIDE = "docs/guides/other-languages.md";
const PATIENCE_MS = 60_000;

type Language = {
  /** Of the guide's blocks: the first creates a request, the second receives webhooks. */
  readonly kind: string;
  readonly version: readonly [string, string];
  readonly files: readonly [string, string];
  readonly start: (file: string) => readonly [string, ...string[]];
  readonly serve?: (file: string, port: number) => readonly [string, ...string[]];
};

const PHP = process.env["TIDEGATE_TEST_PHP"] ?? "php";
const LANGUAGES: readonly Language[] = [
  {
    kind: "python",
    version: ["python3", "--version"],
    files: ["create.py", "webhook.py"],
    start: (file) => ["python3", file],
  },
  {
    kind: "php",
    version: [PHP, "--version"],
    files: ["create.php", "webhook.php"],
    start: (file) => [PHP, file],
    serve: (file, port) => [PHP, "-S", `127.0.0.1:${port}`, file],
  },
  {
    kind: "go",
    version: ["go", "version"],
    files: ["create.go", "webhook.go"],
    start: (file) => [file.replace(/\.go$/, "")],
  },
  {
    kind: "java",
    version: ["java", "--version"],
    files: ["CreateRequest.java", "Receiver.java"],
    start: (file) => ["java", file],
  },
];

let gateway: TestGateway;
let folder: string;
let blocks: readonly Block[];
before(async () => {
  gateway = await startTestGateway();
  folder = await mkdtemp(join(tmpdir(), "tidegate-languages-"));
  blocks = (await blocksOf(GUIDE)).filter(({ mark }) => mark?.note.includes("other-languages"));
});
after(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Why a language's tests are skipped; false if its toolchain is here. */
async function missing([program, flag]: readonly [string, string]): Promise<string | false> {
  try {
    await run(program, [flag]);
    return false;
  } catch {
    return `${program} is missing`;
  }
}

/** The output that the guide shows for the programs of a section; `…` stands for what differs. */
function shown(section: 0 | 1): RegExp {
  const { text } = blocks.filter(({ kind }) => kind === "text")[section] ?? assert.fail();
  return new RegExp(`^${text.trim().replace("…", "\\w+")}$`, "m");
}

for (const language of LANGUAGES) {
  const { kind } = language;
  describe(`${GUIDE}: ${kind}`, { skip: await missing(language.version) }, () => {
    const files: string[] = [];
    before(async () => {
      const programs = blocks.filter((block) => block.kind === kind);
      assert.equal(programs.length, 2);
      await mkdir(join(folder, kind));
      for (const [at, { text }] of programs.entries()) {
        const file = join(folder, kind, language.files[at] ?? assert.fail());
        await writeFile(file, text);
        files.push(file);
        if (kind === "go") await run("go", ["build", "-o", file.replace(/\.go$/, ""), file]);
      }
    });

    async function createThrough(
      faults: readonly Fault[],
      key?: string,
    ): Promise<{ shop: Shop; printed: string; failed: boolean; keys: Set<unknown> }> {
      const shop = shopOf(gateway, (await gateway.newMerchant()).key);
      const proxy = await startFaultProxy(gateway.baseUrl);
      try {
        proxy.plan(...faults);
        const [program, ...parameters] = language.start(files[0] ?? assert.fail());
        const env = { ...process.env, TIDEGATE_URL: proxy.url, TIDEGATE_API_KEY: key ?? shop.key };
        const ended = await run(program, parameters, { env, timeout: PATIENCE_MS }).then(
          ({ stdout }) => ({ printed: stdout, failed: false }),
          (error: unknown) => {
            const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
            return { printed: stdout + stderr, failed: true };
          },
        );
        const sent = proxy.seen.filter(({ method }) => method === "POST");
        return { shop, ...ended, keys: new Set(sent.map(({ headers }) => headers["x-idempotency-key"])) };
      } finally {
        await proxy.close();
      }
    }

    async function startReceiver(variables: { readonly WEBHOOK_SECRET?: string }) {
      const port = await freePort();
      const file = files[1] ?? assert.fail();
      const [program, ...parameters] = language.serve?.(file, port) ?? language.start(file);
      const env = { ...process.env, ...variables, PORT: String(port) };
      const receiver = spawn(program, parameters, { env, stdio: ["ignore", "pipe", "pipe"] });
      let printed = "";
      for (const stream of [receiver.stdout, receiver.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
        });
      }
      const url = `http://127.0.0.1:${port}/`;
      return {
        url,
        post: async (body: string, headers: Readonly<Record<string, string>>) =>
          (await fetch(url, { method: "POST", body, headers })).status,
        output: () => printed,
        hasEnded: () => receiver.exitCode !== null,
        stop: () => receiver.kill(),
      };
    }

    for (const [title, faults] of [
      ["creates a request", []],
      ["creates one request if its answer is lost", ["cut after"]],
      [
        "creates one request through a connection that breaks in every way",
        ["cut before", { status: 503 }, "half", "cut after"],
      ],
    ] as const) {
      test(title, async () => {
        const { shop, printed, failed, keys } = await createThrough(faults);
        assert.equal(failed, false, printed);
        assert.match(printed.trim(), shown(0));
        const { paymentRequests } = ok(await callApi(shop, "GET", "/paymentrequests"));
        assert.deepEqual(
          paymentRequests.map(({ id }: { id: string }) => id),
          [printed.split(" ")[0]],
        );
        assert.deepEqual(keys, new Set(["order-1001"]));
      });
    }

    test("shows the code of a refusal, without another attempt", async () => {
      const { printed, failed } = await createThrough([], "wrong");
      assert.ok(failed);
      assert.match(printed, /V1\d{4}/);
    });

    test("receives signed webhooks, and answers 401 to any other", async () => {
      const shop = shopOf(gateway, (await gateway.newMerchant()).key);
      const { standardWebhooksSecret: secret } = ok(await callApi(shop, "GET", "/webhooks/signingkey"));
      const { url, post, output, stop } = await startReceiver({ WEBHOOK_SECRET: secret });
      try {
        await eventually(
          "the receiver listens",
          async () => (await post("{}", {}).catch(() => 0)) === 401,
          PATIENCE_MS,
        );
        const { id } = ok(await callApi(shop, "POST", "/webhooks", { event: "payouts", url }));
        const ping = ok(await callApi(shop, "POST", `/webhooks/${id}/test`));
        assert.deepEqual([ping.status, ping.httpStatus], ["delivered", 200]);
        await eventually("the receiver prints the ping", async () => shown(1).test(output()));

        const body = '{"id":"evt_1","event":"ping","payload":{"name":"Zoë"}}';
        const signedBy = (key: string, at: number, text = body) => ({
          "webhook-id": "evt_1",
          "webhook-timestamp": String(Math.floor(at / 1000)),
          "webhook-signature": new Webhook(key).sign("evt_1", new Date(at), text),
        });
        const now = Date.now();
        const genuine = signedBy(secret, now);
        const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
        assert.equal(await post(body, genuine), 200);
        const both = `${signedBy(other, now)["webhook-signature"]} ${genuine["webhook-signature"]}`;
        assert.equal(await post(body, { ...genuine, "webhook-signature": both }), 200, "two signatures");
        assert.equal(await post(body, signedBy(secret, now - 240_000)), 200, "four minutes old");
        for (const [reason, headers] of [
          ["another key", signedBy(other, now)],
          ["another body", signedBy(secret, now, "{}")],
          ["another id", { ...genuine, "webhook-id": "evt_2" }],
          ["too old", signedBy(secret, now - 400_000)],
          ["in the future", signedBy(secret, now + 400_000)],
          ["no time", { ...genuine, "webhook-timestamp": "now" }],
          ["no signature", { ...genuine, "webhook-signature": "" }],
        ] as const) {
          assert.equal(await post(body, headers), 401, reason);
        }
      } finally {
        stop();
      }
    });

    test("receives nothing without a secret: every sender can sign with an empty key", async () => {
      const body = '{"id":"evt_1","event":"ping","payload":{}}';
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac("sha256", "").update(`evt_1.${timestamp}.${body}`).digest("base64");
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      };
      for (const variables of [{}, { WEBHOOK_SECRET: "" }, { WEBHOOK_SECRET: "whsec_" }]) {
        const { post, output, hasEnded, stop } = await startReceiver(variables);
        try {
          const status = await eventually(
            "the receiver answers or has ended",
            async () => (hasEnded() ? "ended" : await post(body, headers).catch(() => undefined)),
            PATIENCE_MS,
          );
          assert.equal(status, language.serve === undefined ? "ended" : 500, JSON.stringify(variables));
          await eventually("the reason is printed", async () => /WEBHOOK_SECRET is missing/.test(output()));
        } finally {
          stop();
        }
      }
    });
  });
}
