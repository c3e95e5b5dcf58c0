/**
 * Runs the tests: starts one PostgreSQL for all of them, migrates a template database, and passes its URL to each test
 * file; a file clones the template (about 40 ms).
 *
 *   npm test                                      the static checks, then every test
 *   npm test -- tests/spec/lifecycles.test.ts     only these files, without the checks
 *   npm test -- tests/spec/webhooks/              only the files of this folder
 *   npm run scale                                 the tests of costs, with up to 300,000 rows; or these files
 */
import { globSync, readFileSync, statfsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeProgram } from "./shared-process.ts";
import { run, type TestEnvironment, withTestDatabase } from "./test-database.ts";

const EVERYTHING = ["src/**/*.test.ts", "browser/**/*.test.ts", "tools/**/*.test.ts", "tests/**/*.test.ts"];
/** Proofs take minutes and run with `npm run proof`, but for those that are short. */
const LONG = "tests/proofs/";
const SHORT_PROOFS = ["tests/proofs/openapi-fuzz.test.ts"];
/** They need counterparts that not every machine has: `npm run interop`. */
const INTEROP = "tests/interop/";
/** They fill tables: those of the folder with 300,000 rows, the others with as many for `npm run scale` and fewer here. */
const SCALE = "tests/scale/";
const AT_SCALE = [`${SCALE}*.test.ts`, "tests/faults/*-at-scale.test.ts"];
/** They weigh the memory of their own process, or start and end servers for minutes. */
const ALONE = ["embedded-postgres", "exports-at-scale", "long-uptime", "payouts-at-scale", "process"].map(
  (name) => `tests/faults/${name}.test.ts`,
);
/**
 * How many files of a folder share a process: loading the gateway costs more than most of them do. The longest come first,
 * so that no core is idle at the end.
 */
const FILES_PER_PROCESS: readonly (readonly [start: string, files: number])[] = [
  ...ALONE.map((file) => [file, 1] as const),
  ["tests/proofs/", 1],
  ["tests/faults/", 6],
  ["tests/browser/", 6],
  ["tests/probes/", 1],
  ["tests/client/", 1],
  ["tests/", 24],
  ["", 48],
];
/** More than the two cores of the smallest machine: tests wait much of their time. */
const AT_ONCE = 4;
/** The runner keeps track of every promise; more room for short-lived ones saves a tenth of the work in collections. */
const NODE_OPTIONS = `${process.env["NODE_OPTIONS"] ?? ""} --max-semi-space-size=32`.trim();
/** A file that hangs ends here; the slowest takes 75 s on two idle cores, and machines that test are often busy. */
const TIMEOUT_MS = 1_200_000;
/** A shared process runs many files, each of which has TIMEOUT_MS; interop tests fetch their counterparts first. */
const TIMEOUT_OF_PROCESS_MS = 3_600_000;

/**
 * Where the tests write, if the machine has room: nothing of it outlives them, and making and dropping a database of 600 files
 * costs a quarter there of what it costs on a disk.
 */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 6 * 1024 ** 3;

/** Says how long it took: the tests that land have a goal, 15 minutes. */
async function main(): Promise<number> {
  const startedAt = Date.now();
  const code = await runTests();
  console.log(
    `\n${code === 0 ? "passed" : "FAILED"} in ${Math.round((Date.now() - startedAt) / 1_000)} seconds`,
  );
  return code;
}

async function runTests(): Promise<number> {
  if (process.env["TMPDIR"] === undefined && hasRoomInMemory()) process.env["TMPDIR"] = MEMORY;
  const isScale = process.argv[2] === "--scale";
  const named = process.argv.slice(isScale ? 3 : 2);
  const atScale = isScale && named.length === 0;
  const chosen = atScale ? AT_SCALE.flatMap((pattern) => globSync(pattern)).sort() : named;
  const files = chosen.length > 0 ? chosen.flatMap(filesOf) : everything();
  if (files.length === 0) {
    console.error(`there is no test in ${chosen.join(", ")}`);
    return 1;
  }
  const preparations = [
    ...(chosen.length === 0 ? ["tools/check.ts"] : []),
    ...(files.some((file) => file.includes("tests/browser/")) ? ["tools/chromium.ts"] : []),
  ];
  const codes = await Promise.all(preparations.map((program) => run(process.execPath, [program], {})));
  if (codes.some((code) => code !== 0)) return 1;
  const folder = await mkdtemp(join(tmpdir(), "tidegate-groups-"));
  try {
    return await withTestDatabase(async (environment) => {
      const own = { ...environment, NODE_OPTIONS, ...(isScale && { TIDEGATE_PROOF: "long" }) };
      if (chosen.length > 0) return runFiles(files, own);
      const groups = await shareProcesses(files, folder);
      const failures = join(folder, "failures");
      const code = await runFiles([...groups.keys()], own, failures);
      if (code !== 0) nameFailed(groups, await readFile(failures, "utf8").catch(() => ""));
      return code;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tests start programs from the folders that they make, so it must allow that. */
function hasRoomInMemory(): boolean {
  if (process.platform !== "linux") return false;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const [, , kind, options = ""] = mounts.find((line) => line.split(" ")[1] === MEMORY)?.split(" ") ?? [];
  if (kind !== "tmpfs" || options.split(",").includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES;
}

function runFiles(
  programs: readonly string[],
  environment: TestEnvironment,
  failures?: string,
): Promise<number> {
  const options = ["--test", `--test-timeout=${TIMEOUT_OF_PROCESS_MS}`, `--test-concurrency=${AT_ONCE}`];
  const reporters =
    failures === undefined
      ? []
      : ["spec", "stdout", "./tools/report-failures.ts", failures].map(
          (value, at) => `--test-reporter${at % 2 === 0 ? "" : "-destination"}=${value}`,
        );
  return run(process.execPath, [...options, ...reporters, ...programs], environment);
}

/** Names the files that failed at the end of a long output. A process that ended badly may be any of its files. */
function nameFailed(groups: ReadonlyMap<string, readonly string[]>, failures: string): void {
  const failed = failures.split("\n").filter((name) => name !== "");
  const files = new Set(failed.flatMap((name) => groups.get(name) ?? [name]));
  if (files.size > 0) console.log(`\nThese files failed:\n  ${[...files].join("\n  ")}`);
}

function filesOf(chosen: string): readonly string[] {
  return chosen.endsWith("/") ? globSync(`${chosen}**/*.test.ts`).sort() : [chosen];
}

function everything(): readonly string[] {
  const files = EVERYTHING.flatMap((pattern) => globSync(pattern)).sort();
  return files.filter(
    (file) =>
      SHORT_PROOFS.includes(file) || ![LONG, INTEROP, SCALE].some((folder) => file.startsWith(folder)),
  );
}

/** Writes one program per group of files that share a process, each file a suite. Returns the files by program, in order. */
async function shareProcesses(
  files: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const programs = new Map<string, readonly string[]>();
  const left = new Set(files);
  for (const [start, atOnce] of FILES_PER_PROCESS) {
    const group = [...left].filter((file) => file.startsWith(start));
    for (let from = 0; from < group.length; from += atOnce) {
      const together = group.slice(from, from + atOnce);
      for (const file of together) left.delete(file);
      // The runner starts programs in the order of their names.
      const program = join(folder, `group-${String(programs.size).padStart(3, "0")}.test.mjs`);
      await writeProgram(program, together, TIMEOUT_MS);
      programs.set(program, together);
    }
  }
  return programs;
}

process.exit(await main());
