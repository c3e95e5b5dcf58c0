import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { callApi, ok, shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Block, blocksOf } from "../support/guide-blocks.ts";

const run = promisify(execFile);
const GUIDE = "docs/guides/other-languages.md";
const NEEDED = ["curl", "jq", "java", "mvn"];

type Client = {
  /** Of the guide's block. */
  readonly kind: string;
  readonly needs: readonly string[];
  readonly file: string;
  /** The commands of the guide's text: `build` may need a package registry, `start` prints the made request. */
  readonly build: string;
  readonly start: string;
};

const CLIENTS: readonly Client[] = [
  {
    kind: "python",
    needs: ["python3"],
    file: "create.py",
    build: "python3 -m venv .venv && .venv/bin/pip install ./tidegate-python",
    start: ".venv/bin/python create.py",
  },
  {
    kind: "php",
    needs: ["php", "composer"],
    file: "create.php",
    build: "composer install -d tidegate-php",
    start: "php create.php",
  },
  {
    kind: "go",
    needs: ["go"],
    file: "tidegate-go/create/main.go",
    build: "cd tidegate-go && go mod tidy",
    start: "cd tidegate-go && go run ./create",
  },
  {
    kind: "java",
    needs: ["java", "mvn"],
    file: "Create.java",
    build: "mvn -B -q -f tidegate-java package -Dmaven.test.skip=true",
    start: `java -cp "tidegate-java/target/*:tidegate-java/target/lib/*" Create.java`,
  },
];

/** The library that the PHP client depends on, as Debian's php-guzzlehttp-guzzle installs it. */
const DEBIAN_GUZZLE = "/usr/share/php/GuzzleHttp/autoload.php";

/** What `composer install` makes, for a machine that does not reach its registry. */
const OFFLINE_AUTOLOAD = `<?php
require "${DEBIAN_GUZZLE}";
spl_autoload_register(function (string $name) {
    $file = __DIR__ . "/../lib/" . strtr(substr($name, strlen("OpenAPI\\\\Client\\\\")), "\\\\", "/") . ".php";
    if (str_starts_with($name, "OpenAPI\\\\Client\\\\") && is_file($file)) require $file;
});
`;

/** Why tests are skipped; false if every program is here. */
async function missing(programs: readonly string[]): Promise<string | false> {
  for (const program of programs) {
    const isHere = await run("sh", ["-c", `command -v ${program}`]).then(
      () => true,
      () => false,
    );
    if (!isHere) return `${program} is missing`;
  }
  return false;
}

describe(`${GUIDE}: clients of openapi-generator`, { skip: await missing(NEEDED) }, () => {
  let gateway: TestGateway;
  let folder: string;
  let blocks: readonly Block[];
  /** Why the generator is not here; undefined if it is. */
  let obstacle: string | undefined;
  before(async () => {
    gateway = await startTestGateway();
    folder = await mkdtemp(join(tmpdir(), "tidegate-generated-"));
    blocks = (await blocksOf(GUIDE)).filter(({ mark }) => mark?.note.includes("generated-clients"));
    const [block = assert.fail()] = blocks.filter(({ kind }) => kind === "sh");
    const commands = block.text.replace("http://localhost:4000", gateway.baseUrl);
    const [fetching = "", generating = ""] = commands.split(/^(?=alias )/m);
    try {
      await shell(fetching);
    } catch (error) {
      obstacle = `Maven cannot fetch the generator: ${String(error).slice(0, 300)}`;
      return;
    }
    await shell(generating);
  });
  after(async () => {
    await gateway.stop();
    await run("chmod", ["-R", "u+w", folder]);
    await rm(folder, { recursive: true, force: true });
  });

  async function shell(commands: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await run("sh", ["-ec", commands], options)).stdout;
  }

  for (const { kind, needs, file, build, start } of CLIENTS) {
    test(`the ${kind} client builds, and creates a payment request`, async (t) => {
      const reason = obstacle ?? (await missing(needs));
      if (reason !== false) {
        t.skip(reason);
        return;
      }
      const [program = assert.fail()] = blocks.filter((block) => block.kind === kind);
      const path = join(folder, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, program.text);
      try {
        await shell(build);
      } catch (error) {
        if (kind !== "php" || !/resolve host|connect to/.test(String(error))) throw error;
        if (!existsSync(DEBIAN_GUZZLE)) {
          t.skip("composer does not reach its registry, and Debian's php-guzzlehttp-guzzle is missing");
          return;
        }
        await mkdir(join(folder, "tidegate-php/vendor"), { recursive: true });
        await writeFile(join(folder, "tidegate-php/vendor/autoload.php"), OFFLINE_AUTOLOAD);
      }
      const shop = shopOf(gateway, (await gateway.newMerchant()).key);
      const printed = await shell(start, { TIDEGATE_URL: gateway.baseUrl, TIDEGATE_API_KEY: shop.key });
      assert.match(printed, /^pr_\w+ created$/m);
      const { paymentRequests } = ok(await callApi(shop, "GET", "/paymentrequests"));
      assert.deepEqual(
        paymentRequests.map(({ id, payment }: { id: string; payment: { amount: number } }) => [
          id,
          payment.amount,
        ]),
        [[printed.split(" ")[0], 3000]],
      );
    });
  }

  test("the commands above are the guide's", async () => {
    const guide = await readFile(GUIDE, "utf8");
    const commands = CLIENTS.flatMap(({ build, start }) => [...build.split(" && "), ...start.split(" && ")]);
    assert.deepEqual(
      commands.filter((command) => command !== "cd tidegate-go" && !guide.includes(`\`${command}\``)),
      [],
    );
  });
});
