/**
 * Runs every static check, even after one has failed, and prints the output of failed ones only. Two at a time, because
 * a typical machine has two cores.
 */
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

type Check = { readonly name: string; readonly command: readonly [string, ...string[]] };
type Outcome = {
  readonly check: Check;
  readonly passed: boolean;
  readonly seconds: string;
  readonly output: string;
};

const AT_ONCE = 2;
const root = join(import.meta.dirname, "..");

/** The slowest first, so that none runs alone at the end. */
const checks: readonly Check[] = [
  { name: "unused code (knip)", command: ["knip", "--no-progress", "--no-config-hints"] },
  { name: "promises and types (oxlint)", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "types (tsc)", command: ["tsc", "--project", "tsconfig.json"] },
  { name: "types of the launcher (tsc)", command: ["tsc", "--project", "bin/tsconfig.json"] },
  { name: "types in the browser (tsc)", command: ["tsc", "--project", "browser/tsconfig.json"] },
  { name: "format and lint (biome)", command: ["biome", "ci", "--error-on-warnings", "--colors=off", "."] },
  { name: "browser floor", command: ["node", "tools/browser-floor.ts"] },
  { name: "house rules (tidy)", command: ["node", "tools/tidy.ts"] },
  { name: "generated docs up to date", command: ["node", "tools/docs.ts", "--check"] },
];

async function run(check: Check): Promise<Outcome> {
  const started = performance.now();
  const [program, ...rest] = check.command;
  const output: Buffer[] = [];
  // The checkout's tools come first, including its Node.
  const path = [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const passed = await new Promise<boolean>((resolve) => {
    child.on("error", (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return { check, passed, seconds, output: Buffer.concat(output).toString("utf8") };
}

const waiting = checks[Symbol.iterator]();
const outcomes: Outcome[] = [];

/** Each worker takes the next check as soon as it has finished one. */
async function worker(): Promise<void> {
  for (const check of waiting) {
    const outcome = await run(check);
    outcomes.push(outcome);
    console.log(`${outcome.passed ? "ok    " : "FAILED"} ${outcome.seconds.padStart(5)} s  ${check.name}`);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, worker));

const failed = outcomes.filter((outcome) => !outcome.passed);
for (const { check, output } of failed) {
  console.log(`\n── ${check.name}: ${check.command.join(" ")}\n${output.trimEnd()}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
