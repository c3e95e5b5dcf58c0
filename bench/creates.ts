import { startContenders } from "./creates/contenders.ts";
import { type Run, reportCreates } from "./creates/report.ts";
import { acknowledged, together } from "./figures.ts";
import { startGenerator } from "./load/drive.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { cpuBetween, readCpu } from "./stage/cpu.ts";

/**
 * Each contender's time is cut into slices of about this length that take turns, so that a noisy machine hits all alike.
 * Six slices of 5 s gave ratios from 0.52 to 0.75 for the same code while other work came and went on the machine.
 */
const SLICE_SECONDS = 1;
const SLICES_AT_LEAST = 6;
const CONNECTIONS = 32;

/** Counted in answers, not in seconds: V8 compiles what has run often, and all have to be equally compiled. */
const WARM_UP_ANSWERS = 30_000;
const WARM_UP_AT_MOST_MS = 60_000;

/** How many payment requests a second the gateway makes durable, as a share of what one bare insert would reach. */
export const creates: Question = {
  name: "creates",
  asks: `durable POST /paymentrequests per second at ${CONNECTIONS} connections, against one bare insert of the same bytes`,
  answer: answerCreates,
};

async function answerCreates({ seconds, stage, say }: BenchOptions): Promise<Finding> {
  say("starting PostgreSQL, the floor, the gateway, and the gateway with its log switched off");
  const contenders = await startContenders(stage);
  const generator = startGenerator(stage);
  const slices = Math.max(SLICES_AT_LEAST, Math.round(seconds / SLICE_SECONDS));
  const slice = seconds / slices;
  const runs: Run[] = contenders.map((contender) => ({
    contender,
    warmUp: [],
    measured: [],
    cpu: undefined,
  }));

  const load = (run: Run, length: number) =>
    generator.run({ ...run.contender.target, connections: CONNECTIONS, seconds: length });

  say(`warming each up with ${WARM_UP_ANSWERS} answers`);
  for (const run of runs) {
    const until = Date.now() + WARM_UP_AT_MOST_MS;
    while (acknowledged(together(run.warmUp)) < WARM_UP_ANSWERS && Date.now() < until) {
      run.warmUp.push(await load(run, 1));
    }
  }
  const before = await Promise.all(contenders.map(readCpu));
  for (let turn = 1; turn <= slices; turn += 1) {
    if (turn % 5 === 1) say(`slice ${turn} of ${slices}, ${slice.toFixed(1)} s each`);
    // There and back again: a machine that gets steadily slower takes from each contender the same.
    for (const run of turn % 2 === 1 ? runs : runs.toReversed()) run.measured.push(await load(run, slice));
  }
  for (const [index, run] of runs.entries())
    run.cpu = cpuBetween(before[index], await readCpu(run.contender));
  return reportCreates(runs);
}
