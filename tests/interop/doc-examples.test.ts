import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { API_ROUTES } from "../../src/app/routes.ts";
import { callIn, callOf, type ExampleCall } from "../../src/docs-site/examples/example-call.ts";
import { LANGUAGES } from "../../src/docs-site/examples/programs.ts";
import { endpointsOf } from "../../src/docs-site/reference/endpoints.ts";
import { openApiDocument } from "../../src/platform/http/openapi.ts";
import { blocksOf } from "../support/guide-blocks.ts";

const run = promisify(execFile);
const PHP = process.env["TIDEGATE_TEST_PHP"] ?? "php";
const KEY = "the key of the examples";

/** How a language runs many files in one process, each as it stands. */
const TOOLCHAINS: Readonly<
  Record<string, { readonly ending: string; readonly version: string; readonly command: readonly string[] }>
> = {
  curl: {
    ending: "sh",
    version: "curl",
    command: ["bash", "-ec", 'for file in "$@"; do . "$file"; done', "-"],
  },
  typescript: {
    ending: "mts",
    version: process.execPath,
    command: [
      process.execPath,
      "--input-type=module",
      "-e",
      "for (const file of process.argv.slice(1)) await import(file);",
    ],
  },
  python: {
    ending: "py",
    version: "python3",
    command: ["python3", "-c", "import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)"],
  },
  php: {
    ending: "php",
    version: PHP,
    command: [PHP, "-r", "foreach (array_slice($argv, 1) as $file) include $file;"],
  },
};

type Sent = {
  readonly method: string;
  readonly url: string;
  readonly key: unknown;
  readonly type: unknown;
  readonly body: unknown;
};

let server: Server;
let folder: string;
let origin: string;
let calls: readonly ExampleCall[];
const sent: Sent[] = [];

before(async () => {
  server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "", headers } = request;
    const text = Buffer.concat(await Array.fromAsync(request)).toString("utf8");
    const body = text === "" ? undefined : (JSON.parse(text) as unknown);
    sent.push({ method, url: origin + url, key: headers["x-api-key"], type: headers["content-type"], body });
    const isText = url.includes(".csv");
    response.setHeader("Content-Type", isText ? "text/csv" : "application/json");
    response.end(isText ? "id\n" : "{}");
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "tidegate-examples-"));
  const described = endpointsOf(openApiDocument(API_ROUTES, { version: "1", baseUrl: origin }));
  const guides = await Promise.all(globSync("docs/guides/*.md").sort().map(blocksOf));
  const blocks = guides.flat().filter(({ kind }) => kind === "http");
  // Guides shorten ids: `cus_…`.
  const shown = blocks.map(({ text }) => callIn(text.replaceAll("…", "1"), origin));
  calls = [...described.map((endpoint) => callOf(endpoint, origin)), ...shown];
  assert.ok(described.length > 50 && shown.length > 30);
});
after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Why a language is skipped; false if its toolchain is here. */
async function missing(program: string): Promise<string | false> {
  return run(program, ["--version"]).then(
    () => false,
    () => `${program} is missing`,
  );
}

/** Why each language is skipped, or false. */
const skipped = new Map(
  await Promise.all(
    Object.entries(TOOLCHAINS).map(async ([id, { version }]) => [id, await missing(version)] as const),
  ),
);

describe("the examples of the docs", () => {
  test("no path has a place left open, and every id is of the right resource", () => {
    for (const { url } of calls) assert.doesNotMatch(url, /[{}]|undefined/);
    const urls = calls.map(({ method, url }) => `${method} ${url.slice(origin.length)}`);
    assert.ok(urls.some((one) => /^POST \/transactions\/txn_\w+\/refunds$/.test(one)));
    assert.ok(urls.some((one) => /^POST \/webhooks\/whk_\w+\/test$/.test(one)));
  });

  for (const { id, name, program } of LANGUAGES) {
    const { ending, command } = TOOLCHAINS[id] ?? assert.fail(id);
    test(`every example in ${name} sends the described call`, {
      skip: skipped.get(id) ?? false,
    }, async () => {
      const files: string[] = [];
      for (const [at, call] of calls.entries()) {
        const file = join(folder, `${id}-${at}.${ending}`);
        await writeFile(file, `${program(call)}\n`);
        files.push(file);
      }
      sent.length = 0;
      const [start = "", ...words] = command;
      const env = { ...process.env, TIDEGATE_API_KEY: KEY };
      await run(start, [...words, ...files], { env, timeout: 120_000 });
      assert.equal(sent.length, calls.length);
      for (const [at, { method, url, body }] of calls.entries()) {
        const type = body === undefined ? undefined : "application/json";
        assert.deepEqual(
          { ...sent[at], type: body === undefined ? undefined : sent[at]?.type },
          { method, url, key: KEY, type, body },
        );
      }
    });
  }

  test("every TypeScript example has correct types", async () => {
    const files = calls.map((_, at) => join(folder, `typescript-${at}.mts`));
    const types = join(import.meta.dirname, "../../node_modules/@types");
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
    await run(join(types, "../.bin/tsc"), [...options, "--typeRoots", types, "--types", "node", ...files]);
  });
});
