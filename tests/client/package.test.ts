import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { VERSION } from "../../packages/client/src/generated/api.ts";
import { buildClient } from "../../tools/build-client.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { blocksOf } from "../support/guide-blocks.ts";
import { assertPrinted, oldestNode, programsOf, runProgram } from "../support/guide-programs.ts";

const run = promisify(execFile);
/** No registry, and no second build. */
const OFFLINE = {
  npm_config_offline: "true",
  npm_config_ignore_scripts: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
};
const PAGES = ["packages/client/README.md", "docs/guides/client.md"] as const;

/** Their programs need more than the client: tests/interop/medusa.test.ts and tests/connectors/write-a-connector.test.ts. */
const COMPILED_ELSEWHERE = ["medusa.md", "write-a-connector.md"];

describe("@tidegate/client, packed and installed, on Node 20", () => {
  let gateway: TestGateway;
  let folder: string;
  let project: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-package-"));
    // The package has the same path as in a checkout, so that the guide's commands run unchanged.
    project = join(folder, "project");
    const checkout = join(folder, "checkout");
    const copy = join(checkout, "packages/client");
    await mkdir(project);
    await mkdir(copy, { recursive: true });
    buildClient(join(copy, "dist"));
    for (const name of ["package.json", "README.md"]) {
      await copyFile(join("packages/client", name), join(copy, name));
    }
    await writeFile(join(project, "package.json"), '{"type":"module","private":true}');
    const [, commands = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(await readFile(PAGES[1], "utf8")) ?? [];
    assert.match(commands, /^npm pack .*\ncd "\$YOUR_PROJECT"\nnpm install /);
    const env = { ...process.env, ...OFFLINE, HOME: folder, YOUR_PROJECT: project };
    await run("sh", ["-ec", commands], { cwd: checkout, env });
    gateway = await startTestGateway();
  });
  after(async () => {
    try {
      await gateway.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("contains its compiled files only, has no dependencies, and states its version", async () => {
    const installed = join(project, "node_modules/@tidegate/client");
    const files = (await readdir(installed, { recursive: true })).filter((name) => /\.\w+$/.test(name));
    assert.deepEqual(files.filter((name) => !/^dist\/[\w/-]+\.(?:js|d\.c?ts)$/.test(name)).sort(), [
      "README.md",
      "dist/cjs/package.json",
      "package.json",
    ]);
    assert.ok(files.includes("dist/payui.d.cts"));
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    assert.equal(manifest.version, VERSION);
    assert.equal(manifest.dependencies, undefined);
    for (const file of files.filter((name) => name.endsWith(".js"))) {
      const code = await readFile(join(installed, file), "utf8");
      for (const [, from = ""] of code.matchAll(/from "([^"]+)"/g))
        assert.match(from, /^(?:\.{1,2}\/|node:)/);
      for (const [, from = ""] of code.matchAll(/\brequire\("([^"]+)"\)/g))
        assert.match(from, /^(?:\.{1,2}\/|node:)/);
    }
  });

  test("every program in the README and the guide prints what the page states", async () => {
    const node = oldestNode();
    const programs = (await Promise.all(PAGES.map(programsOf))).flat();
    assert.ok(programs.length >= 6);
    await Promise.all(
      programs.map(async (program, index) => {
        const file = join(project, `program-${index}.js`);
        await writeFile(file, program.code);
        assert.ok(program.code.trim().split("\n").length <= 16, `${program.place}: at most 16 lines`);
        const port = await freePort();
        const running = runProgram(node, file, {
          TIDEGATE_API_KEY: TEST_KEY,
          TIDEGATE_URL: gateway.baseUrl,
          PORT: String(port),
        });
        try {
          if (program.code.includes(".listen("))
            await pingUntilReceived(`http://127.0.0.1:${port}/`, running.output);
          else assert.equal(await running.ended, 0, `${program.place}: ${running.output()}`);
          assertPrinted(running.output(), program);
        } finally {
          running.child.kill();
        }
      }),
    );
  });

  test("is loaded with require and with import, and both have the same names", async () => {
    const uses = [
      "const all = (one) => Object.keys(one).filter((name) => !/^(__esModule|default|module\\.exports)$/.test(name)).sort();",
      'console.log(JSON.stringify([all(client), all(webhooks), typeof client.createTidegate({ apiKey: "k" }).tokens.create]));',
    ].join("\n");
    const required = ["client", "webhooks"].map(
      (name) => `const ${name} = require("@tidegate/client${name === "client" ? "" : "/webhooks"}");`,
    );
    const imported = ["client", "webhooks"].map(
      (name) => `import * as ${name} from "@tidegate/client${name === "client" ? "" : "/webhooks"}";`,
    );
    const printed = [];
    for (const [file, head] of [["load.cjs", required] as const, ["load.mjs", imported] as const]) {
      await writeFile(join(project, file), [...head, uses].join("\n"));
      printed.push((await run(oldestNode(), [join(project, file)])).stdout);
    }
    assert.equal(printed[0], printed[1]);
    const [client, webhooks, create] = JSON.parse(printed[0] ?? "");
    assert.ok(client.includes("createTidegate") && client.includes("verifyWebhook"));
    assert.deepEqual([webhooks, create], [["WebhookRejected", "verifyWebhook"], "function"]);
  });

  async function typeScriptOf(path: string): Promise<readonly string[]> {
    return (await blocksOf(path)).filter(({ kind }) => kind === "ts").map(({ text }) => text);
  }

  async function pingUntilReceived(url: string, output: () => string): Promise<void> {
    const { id } = (await gateway.post("/webhooks", { event: "payouts", url })).body;
    await eventually(
      `the program accepts a ping: ${output()}`,
      async () => (await gateway.post(`/webhooks/${id}/test`)).body.status === "delivered",
    );
    await eventually("the program prints the ping", async () => output().includes("ping"));
  }

  for (const [module, moduleResolution] of [
    ["node16", "node16"],
    ["node20", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
    ["preserve", "bundler"],
  ] as const) {
    test(`its types compile in modules and in CommonJS with module ${module}, resolution ${moduleResolution}`, async () => {
      const place = join(project, `types-${module}`);
      await mkdir(place);
      const calls = await readFile("tests/client/typed-calls.ts", "utf8");
      const checked = `${calls}
import { verifyWebhook, type WebhookRequest } from "@tidegate/client/webhooks";
import { OPERATIONS, type Operations } from "@tidegate/client/api";
export const verified = (request: WebhookRequest): string => narrowed(verifyWebhook(request));
export const path: string = OPERATIONS.createToken.path;
export type Answer = Operations["createToken"]["answer"];
`;
      for (const extension of ["mts", "cts", "ts"])
        await writeFile(join(place, `calls.${extension}`), checked);
      const options = {
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        module,
        moduleResolution,
        target: "es2022",
        lib: ["es2022", "dom"],
        types: ["node"],
        typeRoots: [resolve("node_modules/@types")],
      };
      await writeFile(join(place, "package.json"), "{}");
      await writeFile(
        join(place, "tsconfig.json"),
        JSON.stringify({ compilerOptions: options, include: ["*"] }),
      );
      const compiled = await run(resolve("node_modules/.bin/tsc"), ["-p", place]).catch(
        (error: unknown) => error as { stdout: string },
      );
      assert.equal(compiled.stdout, "");
    });
  }

  test("its types compile without the repository's own types, and so does every TypeScript block of the guides", async () => {
    const guides = globSync("docs/guides/*.md").filter(
      (path) => !COMPILED_ELSEWHERE.includes(basename(path)),
    );
    const blocks = (await Promise.all(guides.map(typeScriptOf))).flat();
    assert.ok(blocks.length > 0);
    for (const [at, code] of blocks.entries()) await writeFile(join(project, `block-${at}.ts`), code);
    await symlink(resolve("node_modules/@types"), join(project, "node_modules/@types"), "dir");
    await copyFile("tests/client/typed-calls.ts", join(project, "typed-calls.ts"));
    const options = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      allowJs: true,
      checkJs: true,
      skipLibCheck: false,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom"],
      types: ["node"],
    };
    await writeFile(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, include: ["*"], exclude: ["load.*"] }),
    );
    const tsc = resolve("node_modules/.bin/tsc");
    const compiled = await run(tsc, ["-p", project]).catch((error: unknown) => error as { stdout: string });
    assert.equal(compiled.stdout, "");
  });
});
