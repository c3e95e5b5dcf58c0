import type { Contender } from "./contender.ts";
import type { Generator } from "./load/drive.ts";
import { type CpuUse, cpuBetween, readCpu } from "./stage/cpu.ts";
import { acknowledged, type Load, together } from "./statistics.ts";

/**
 * Each contender's time is cut into slices of about this length that alternate, so that noise affects all alike. Six
 * slices of 5 s gave ratios from 0.52 to 0.75 for the same code while other work ran on the machine.
 */
const SLICE_SECONDS = 1;
const SLICES_AT_LEAST = 6;
const WARM_UP_AT_MOST_MS = 60_000;

/** The results of one contender. */
export type Run = {
  readonly contender: Contender;
  readonly warmUp: Load[];
  readonly measured: Load[];
  /** Of the measured slices. */
  cpu: CpuUse | undefined;
};

export type Turns = {
  readonly generator: Generator;
  /** How long each contender is measured, over all its slices. */
  readonly seconds: number;
  /** Counted in answers, not in seconds: V8 compiles what has run often, and all must be equally compiled. */
  readonly warmUpAnswers: number;
  readonly report: (line: string) => void;
};

/** Warms the contenders up, then measures them slice by slice, one after the other. */
export async function takeTurns(
  contenders: readonly Contender[],
  { generator, seconds, warmUpAnswers, report }: Turns,
): Promise<readonly Run[]> {
  const slices = Math.max(SLICES_AT_LEAST, Math.round(seconds / SLICE_SECONDS));
  const slice = seconds / slices;
  const runs: Run[] = contenders.map((contender) => ({
    contender,
    warmUp: [],
    measured: [],
    cpu: undefined,
  }));

  report(`warming each up with ${warmUpAnswers} answers`);
  for (const { contender, warmUp } of runs) {
    const until = Date.now() + WARM_UP_AT_MOST_MS;
    while (acknowledged(together(warmUp)) < warmUpAnswers && Date.now() < until) {
      warmUp.push(await contender.load(generator, 1));
    }
  }
  const before = await Promise.all(contenders.map(readCpu));
  for (let turn = 1; turn <= slices; turn += 1) {
    if (turn % 5 === 1) report(`slice ${turn} of ${slices}, ${slice.toFixed(1)} s each`);
    // In alternating order: a machine that gets steadily slower affects each contender alike.
    for (const { contender, measured } of turn % 2 === 1 ? runs : runs.toReversed()) {
      measured.push(await contender.load(generator, slice));
    }
  }
  for (const [index, run] of runs.entries())
    run.cpu = cpuBetween(before[index], await readCpu(run.contender));
  return runs;
}
