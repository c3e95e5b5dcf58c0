import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { blocksOf } from "../support/guide-blocks.ts";

const run = promisify(execFile);
const GUIDE = "docs/guides/other-languages.md";
const WITHOUT_END = { maxBuffer: 64 * 1024 * 1024 };
const NEEDED = ["curl --version", "jq --version", "java --version", "mvn --version"];

/** Why the tests are skipped; false if everything is here. */
async function obstacle(): Promise<string | false> {
  for (const command of NEEDED) {
    const isHere = await run("sh", ["-c", command]).then(
      () => true,
      () => false,
    );
    if (!isHere) return `${command.split(" ")[0]} is missing`;
  }
  return false;
}

describe(`${GUIDE}: clients of openapi-generator`, { skip: await obstacle() }, () => {
  let gateway: TestGateway;
  let folder: string;
  before(async () => {
    gateway = await startTestGateway();
    folder = await mkdtemp(join(tmpdir(), "tidegate-generated-"));
  });
  after(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("the guide's commands generate all four, and the Python one compiles", async (t) => {
    const [block = assert.fail()] = (await blocksOf(GUIDE)).filter(({ kind }) => kind === "sh");
    const commands = block.text.replace("http://localhost:4000", gateway.baseUrl);
    const [fetching = "", generating = ""] = commands.split(/^(?=alias )/m);
    try {
      await run("sh", ["-ec", fetching], { cwd: folder, ...WITHOUT_END });
    } catch (error) {
      t.skip(`Maven cannot fetch the generator: ${String(error).slice(0, 300)}`);
      return;
    }
    await run("sh", ["-ec", generating], { cwd: folder, ...WITHOUT_END });
    for (const file of [
      "tidegate-python/openapi_client/api/payment_requests_api.py",
      "tidegate-php/lib/Api/PaymentRequestsApi.php",
      "tidegate-go/api_payment_requests.go",
      "tidegate-java/src/main/java/org/openapitools/client/api/PaymentRequestsApi.java",
    ]) {
      assert.ok(existsSync(join(folder, file)), file);
    }
    await run("python3", ["-m", "compileall", "-q", "tidegate-python"], { cwd: folder });
  });
});
