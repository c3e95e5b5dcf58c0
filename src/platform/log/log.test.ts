import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";

const module = new URL("./log.ts", import.meta.url).href;

const NO_COUNTS = process.platform !== "linux" && "only Linux counts a process's system calls";

/** What a process that logs this writes to standard error and output. */
async function written(
  level: string,
  code: string,
): Promise<{ lines: Record<string, unknown>[]; stdout: string }> {
  const program = `import { createLog } from ${JSON.stringify(module)}; const log = createLog(${JSON.stringify(level)}); ${code}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    program,
  ]);
  return {
    lines: stderr
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    stdout,
  };
}

describe("the log", () => {
  test("is one JSON object a line on standard error, written also when the process ends right after", async () => {
    const { lines, stdout } = await written(
      "info",
      `
      log.info({ requestId: "a\\nb", status: 200 }, "answered");
      log.debug({}, "not at this level");
      log.warn({}, "second");
      process.exit(0);`,
    );
    assert.equal(stdout, "");
    // The line that was being written when the process ended may come after those that were written at its end.
    const inOrder = lines.sort((one, other) => String(one["level"]).localeCompare(String(other["level"])));
    assert.deepEqual(
      inOrder.map(({ time, ...rest }) => [typeof time, rest]),
      [
        ["string", { level: "info", requestId: "a\nb", status: 200, msg: "answered" }],
        ["string", { level: "warn", msg: "second" }],
      ],
    );
  });

  test("writes a line soon, and nothing while there is none", { skip: NO_COUNTS }, async () => {
    const { stdout } = await written(
      "info",
      `
      import { readFileSync } from "node:fs";
      import { setTimeout } from "node:timers/promises";
      const calls = () => Number(/syscw: (\\d+)/.exec(readFileSync("/proc/self/io", "utf8"))[1]);
      const counts = [];
      for (const line of ["first", "zweite Zeile, größer", undefined]) {
        const before = calls();
        if (line !== undefined) log.info({}, line);
        await setTimeout(400);
        counts.push(calls() - before);
      }
      console.log(JSON.stringify(counts));`,
    );
    const [first, second, none] = JSON.parse(stdout) as number[];
    assert.ok((first ?? 0) >= 1 && (second ?? 0) >= 1, stdout);
    // Node's own threads wake each other by writing, too.
    assert.ok((none ?? 99) < 8, stdout);
  });

  test("keeps the order of its lines", async () => {
    const { lines } = await written(
      "info",
      `for (let n = 0; n < 200; n += 1) log.info({ count: n }, "line");`,
    );
    assert.deepEqual(
      lines.map((line) => line["count"]),
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  test("shows of an error its name, words, code and stack, and not the values that databases quote", async () => {
    const { lines } = await written(
      "error",
      `
      class Failure extends Error { name = "Failure"; code = "23505"; detail = "Key (email)=(canary)"; where = "canary"; }
      log.error({ error: new Failure("duplicate key") }, "failed");
      log.error({ error: "canary" }, "failed");
      log.error({ error: { canary: "canary" } }, "failed");`,
    );
    const text = JSON.stringify(lines);
    assert.doesNotMatch(text, /canary/);
    const [first = {}] = lines;
    const { stack, ...error } = first["error"] as Record<string, unknown>;
    assert.match(String(stack), /Failure: duplicate key/);
    assert.deepEqual(error, { name: "Failure", message: "duplicate key", code: "23505" });
  });
});
