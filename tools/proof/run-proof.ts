import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Invariant, ownSizes, type ProofReport, type RacedPair } from "../../tests/support/proof.ts";
import type { SuiteReport } from "../report-suites.ts";
import { writeProgram } from "../shared-process.ts";
import type { TestEnvironment } from "../test-database.ts";
import type { ProofFile } from "./find-proofs.ts";

export type Sizes = { readonly long: boolean; readonly seed: number };

export type Finding = {
  readonly name: string;
  readonly about: string;
  readonly invariants: readonly Invariant[];
  /** Those that the checker named. */
  readonly broken: readonly Invariant[];
  /** Sums of what was done. */
  readonly counts: Readonly<Record<string, number>>;
  /** The highest of what was measured. */
  readonly most: Readonly<Record<string, number>>;
  /** Of proofs of races. */
  readonly pairs?: readonly RacedPair[];
  readonly verdict: "passed" | "FAILED" | "skipped";
  readonly skipped: readonly string[];
  readonly seconds: number;
  /** What the test runner printed. */
  readonly output: string;
};

/** A short run may take so long in all, and so no proof of it longer. */
export const SHORT_RUN_SECONDS = 600;
/** A hanging proof of a long run, or of a run with a size of its own, ends by this. */
const LONG_TIMEOUT_MS = 6 * 60 * 60_000;

export const isBounded = ({ long }: Pick<Sizes, "long">): boolean => !long && ownSizes().length === 0;

const timeoutOf = (sizes: Pick<Sizes, "long">): number =>
  isBounded(sizes) ? SHORT_RUN_SECONDS * 1_000 : LONG_TIMEOUT_MS;

/** Runs tests that declare and report nothing themselves in one process. One that the runner does not report has failed. */
export async function runTogether(
  proofs: readonly ProofFile[],
  { long }: Sizes,
  environment: TestEnvironment,
): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-proof-"));
  try {
    const [program, report] = [join(folder, "together.test.mjs"), join(folder, "report.jsonl")];
    const timeoutMs = timeoutOf({ long });
    await writeProgram(
      program,
      proofs.map(({ file }) => file),
      timeoutMs,
    );
    const reporters = ["spec", "stdout", "./tools/report-suites.ts", report].map(
      (value, at) => `--test-reporter${at % 2 === 0 ? "" : "-destination"}=${value}`,
    );
    const { code, output } = await run(
      ["--test", ...reporters, `--test-timeout=${timeoutMs}`, program],
      environment,
    );
    const suites = await readLines<SuiteReport>(report);
    // What ends the process badly may be of any file.
    const isExplained = code === 0 || suites.some((suite) => !suite.passed && suite.file !== program);
    return proofs.map(({ name, file, invariants }) => {
      const suite = suites.find((one) => one.file === file);
      const passed = isExplained && suite?.passed === true;
      return {
        ...{ name, about: `the tests of ${file}`, invariants, counts: {}, most: {}, skipped: [], output },
        broken: passed ? [] : invariants.filter((id) => namesViolation(output, id)),
        verdict: passed ? ("passed" as const) : ("FAILED" as const),
        seconds: suite?.seconds ?? 0,
      };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs one file by the test runner in a process of its own, and reads what it reported. */
export async function runProof(
  { name, file, invariants }: ProofFile,
  { long, seed }: Sizes,
  environment: TestEnvironment,
): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-proof-"));
  const [program, report] = [join(folder, "proof.test.mjs"), join(folder, "report.jsonl")];
  await writeProgram(program, [file], timeoutOf({ long }));
  const startedAt = Date.now();
  const { code, output } = await run(
    ["--test", "--test-reporter=spec", `--test-timeout=${timeoutOf({ long })}`, program],
    {
      ...environment,
      TIDEGATE_PROOF: long ? "long" : "short",
      TIDEGATE_PROOF_SEED: String(seed),
      TIDEGATE_PROOF_REPORT: report,
    },
  );
  const lines = await readLines<ProofReport>(report);
  await rm(folder, { recursive: true, force: true });
  const abouts = lines.flatMap((line) => ("about" in line ? [line] : []));
  const skipped = lines.flatMap((line) => ("skipped" in line ? [line.skipped] : []));
  const pairs = lines.flatMap((line) => ("pairs" in line ? line.pairs : []));
  const counts: Record<string, number> = {};
  const most: Record<string, number> = {};
  for (const line of lines) {
    if ("counts" in line)
      for (const [what, count] of Object.entries(line.counts)) counts[what] = (counts[what] ?? 0) + count;
    if ("most" in line)
      for (const [what, value] of Object.entries(line.most))
        most[what] = Math.max(most[what] ?? Number.NEGATIVE_INFINITY, value);
  }
  const isSkipped = skipped.length > 0 && Object.keys(counts).length === 0;
  const declared = [...new Set([...invariants, ...abouts.flatMap((about) => about.invariants)])];
  return {
    name,
    about: abouts.map(({ about }) => about).join("; ") || `the tests of ${file}`,
    invariants: declared,
    broken: code === 0 ? [] : declared.filter((id) => namesViolation(output, id)),
    counts,
    most,
    ...(pairs.length > 0 && { pairs }),
    verdict: code !== 0 ? "FAILED" : isSkipped ? "skipped" : "passed",
    skipped,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    output,
  };
}

/** Assertions print violations as objects (`id: 'I21'`), the checks of rest as JSON (`"id":"I21"`). */
function namesViolation(output: string, id: Invariant): boolean {
  return output.includes(`id: '${id}'`) || output.includes(`"id":"${id}"`);
}

async function readLines<Line>(file: string): Promise<readonly Line[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

function run(
  parameters: readonly string[],
  environment: TestEnvironment,
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, {
      stdio: ["ignore", "pipe", "pipe"],
      // With it, which a test of this tool has, the runner would run no file and pass.
      env: { ...process.env, ...environment, NODE_TEST_CONTEXT: undefined },
    });
    // An interrupted run ends its proof, too; the proof's gateways end with it.
    const interrupt = () => void child.kill("SIGTERM");
    process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("close", (code) => {
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      resolve({ code: code ?? 1, output });
    });
  });
}
