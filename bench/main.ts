/**
 * Measures the gateway on this machine, each question against a floor or a rival in the same run: absolute numbers depend
 * on the machine, ratios of one run much less.
 *
 *   npm run bench                              every question
 *   npm run bench -- creates                   one
 *   npm run bench -- creates --seconds 6       a quick run; only results of 30 seconds, the default, and more are written
 *                                              to docs/generated/bench.md
 *   npm run bench -- deliveries --backlog 1000000
 *   npm run bench -- overview --rows 1000000
 *   npm run bench -- growth --rows 10000000
 *   npm run bench -- steady --seconds 600
 *
 * TIDEGATE_BENCH_DATABASE_URL: an operator's own PostgreSQL, as a superuser, instead of an embedded one.
 */
import { parseArgs } from "node:util";
import { creates } from "./creates.ts";
import { deliveries } from "./deliveries.ts";
import { firstView } from "./first-view.ts";
import { growth } from "./growth.ts";
import { overload } from "./overload.ts";
import { overview } from "./overview.ts";
import { pays } from "./pays.ts";
import { peers } from "./peers.ts";
import { publish } from "./publish.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { reads } from "./reads.ts";
import { rest } from "./rest.ts";
import { steady } from "./steady.ts";

/** Shorter runs are for looking; they change no document. */
const PUBLISHED_FROM_SECONDS = 30;

const QUESTIONS: readonly Question[] = [
  creates,
  pays,
  reads,
  deliveries,
  overload,
  firstView,
  overview,
  growth,
  rest,
  steady,
  peers,
];

async function main(): Promise<number> {
  const given = parseOptions();
  if (given === undefined) {
    const names = QUESTIONS.map(({ name }) => name).join("|");
    console.error(
      `usage: npm run bench -- [${names}]… [--seconds 1…3600] [--backlog 1…10000000] [--rows 1…10000000]`,
    );
    return 2;
  }
  const { positionals, seconds, backlog, rows } = given;
  const chosen = QUESTIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  let missed = 0;
  for (const question of chosen) {
    const finding = await run(question, { seconds, backlog, rows });
    if (!finding.met) missed += 1;
    const isPublished = seconds >= PUBLISHED_FROM_SECONDS && finding.isPartial !== true;
    if (isPublished) await publish(question, finding, process.argv.slice(2));
  }
  return missed === 0 ? 0 : 1;
}

type Given = Omit<BenchOptions, "stage" | "report"> & { readonly positionals: readonly string[] };

/** Undefined if the command line is wrong. */
function parseOptions(): Given | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: "string", default: "30" },
        backlog: { type: "string", default: "50000" },
        rows: { type: "string" },
      },
    });
    const [seconds, backlog] = [Number(values.seconds), Number(values.backlog)];
    const rows = values.rows === undefined ? undefined : Number(values.rows);
    const isValid =
      positionals.every((name) => QUESTIONS.some((question) => question.name === name)) &&
      seconds >= 1 &&
      seconds <= 3_600 &&
      [backlog, rows ?? 1].every((count) => count >= 1 && count <= 10_000_000);
    return isValid ? { positionals, seconds, backlog, rows } : undefined;
  } catch {
    return undefined;
  }
}

async function run(question: Question, sizes: Omit<BenchOptions, "stage" | "report">): Promise<Finding> {
  await using stage = new AsyncDisposableStack();
  const interrupted = Promise.withResolvers<never>();
  const interrupt = () => interrupted.reject(new Error("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  stage.defer(() => void process.off("SIGINT", interrupt).off("SIGTERM", interrupt));

  console.log(`\n${question.name}: ${question.description}`);
  const report = (line: string) => console.error(`  … ${line}`);
  const finding = await Promise.race([question.answer({ ...sizes, stage, report }), interrupted.promise]);
  for (const line of finding.lines) console.log(`  ${line}`);
  return finding;
}

// A reader that closes the pipe (such as `head`) must not prevent the clean-up.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  process.exit(await main());
} catch (error) {
  console.error(error);
  process.exit(1);
}
