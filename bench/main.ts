/**
 * Measures the gateway on this machine, each question against a floor or a rival in the same run: machines differ,
 * ratios of one run much less.
 *
 *   npm run bench                              every question
 *   npm run bench -- creates                   one
 *   npm run bench -- creates --seconds 6       a quick look; figures that are told to others come from 30, the default
 */
import { parseArgs } from "node:util";
import { creates } from "./creates.ts";
import { firstView } from "./first-view.ts";
import { pays } from "./pays.ts";
import type { Question } from "./question.ts";

const QUESTIONS: readonly Question[] = [creates, pays, firstView];

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: "string", default: "30" } },
  });
  const seconds = Number(values.seconds);
  const unknown = positionals.filter((name) => !QUESTIONS.some((question) => question.name === name));
  if (unknown.length > 0 || !(seconds >= 1 && seconds <= 3_600)) {
    console.error(
      `usage: npm run bench -- [${QUESTIONS.map(({ name }) => name).join("|")}] [--seconds 1…3600]`,
    );
    return 2;
  }
  const chosen = QUESTIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  let missed = 0;
  for (const question of chosen) if (!(await ask(question, seconds))) missed += 1;
  return missed === 0 ? 0 : 1;
}

async function ask(question: Question, seconds: number): Promise<boolean> {
  await using stage = new AsyncDisposableStack();
  const interrupted = Promise.withResolvers<never>();
  const interrupt = () => interrupted.reject(new Error("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  stage.defer(() => void process.off("SIGINT", interrupt).off("SIGTERM", interrupt));

  console.log(`\n${question.name}: ${question.asks}`);
  const say = (line: string) => console.error(`  … ${line}`);
  const finding = await Promise.race([question.answer({ seconds, stage, say }), interrupted.promise]);
  for (const line of finding.lines) console.log(`  ${line}`);
  return finding.met;
}

// Whoever stops reading (a pipe to `head`) must not keep us from ending what was started.
process.stdout.on("error", () => {});

try {
  process.exit(await main());
} catch (error) {
  console.error(error);
  process.exit(1);
}
