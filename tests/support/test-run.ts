import { spawn } from "node:child_process";

export type TestRun = {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly output: string;
  /** It was stopped because it took too long. */
  readonly isOver: boolean;
};

const FAILED = /^ *not ok \d+ - .*$/m;

type Options = {
  readonly cwd: string;
  readonly tests?: string;
  readonly withinMs: number;
  /** Stops at the first failure: what a failed test leaves behind can keep its process running. */
  readonly untilFailed?: boolean;
};

/** Runs test files in a process of their own; `tests` is a pattern of names. */
export async function runTests(
  files: readonly string[],
  { cwd, tests, withinMs, untilFailed = false }: Options,
): Promise<TestRun> {
  const pattern = tests === undefined ? [] : [`--test-name-pattern=/${tests}/`];
  // A run inside a test would report to that test's runner instead of to its output, and the programs that `npm test`
  // has bundled are made of other sources than those in `cwd`.
  const {
    NODE_TEST_CONTEXT: _,
    TIDEGATE_TEST_GATEWAY: _g,
    TIDEGATE_TEST_CLI: _c,
    ...environment
  } = process.env;
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap", ...pattern, ...files], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const stop = () => {
    // With the processes of its test files.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (untilFailed && FAILED.test(output)) stop();
    });
  }
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    stop();
  }, withinMs);
  await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  const named = (line: RegExp) =>
    [...output.matchAll(line)].flatMap(([, name = ""]) => (/# SKIP/.test(name) ? [] : [name.trim()]));
  return {
    passed: named(/^ *ok \d+ - (.*)$/gm),
    failed: named(/^ *not ok \d+ - (.*)$/gm),
    output,
    isOver,
  };
}
