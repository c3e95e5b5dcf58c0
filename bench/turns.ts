import type { Contender } from "./contender.ts";
import { acknowledged, type Load, together } from "./figures.ts";
import type { Generator } from "./load/drive.ts";
import { type CpuUse, cpuBetween, readCpu } from "./stage/cpu.ts";

/**
 * Each contender's time is cut into slices of about this length that take turns, so that a noisy machine hits all alike.
 * Six slices of 5 s gave ratios from 0.52 to 0.75 for the same code while other work came and went on the machine.
 */
const SLICE_SECONDS = 1;
const SLICES_AT_LEAST = 6;
const WARM_UP_AT_MOST_MS = 60_000;

/** What came of one contender. */
export type Run = {
  readonly contender: Contender;
  readonly warmUp: Load[];
  readonly measured: Load[];
  /** Of the measured slices. */
  cpu: CpuUse | undefined;
};

export type Turns = {
  readonly generator: Generator;
  /** How long each contender is measured, all its slices together. */
  readonly seconds: number;
  /** Counted in answers, not in seconds: V8 compiles what has run often, and all have to be equally compiled. */
  readonly warmUpAnswers: number;
  readonly say: (line: string) => void;
};

/** Warms the contenders up, then measures them slice by slice, one after the other. */
export async function takeTurns(
  contenders: readonly Contender[],
  { generator, seconds, warmUpAnswers, say }: Turns,
): Promise<readonly Run[]> {
  const slices = Math.max(SLICES_AT_LEAST, Math.round(seconds / SLICE_SECONDS));
  const slice = seconds / slices;
  const runs: Run[] = contenders.map((contender) => ({
    contender,
    warmUp: [],
    measured: [],
    cpu: undefined,
  }));

  say(`warming each up with ${warmUpAnswers} answers`);
  for (const { contender, warmUp } of runs) {
    const until = Date.now() + WARM_UP_AT_MOST_MS;
    while (acknowledged(together(warmUp)) < warmUpAnswers && Date.now() < until) {
      warmUp.push(await contender.load(generator, 1));
    }
  }
  const before = await Promise.all(contenders.map(readCpu));
  for (let turn = 1; turn <= slices; turn += 1) {
    if (turn % 5 === 1) say(`slice ${turn} of ${slices}, ${slice.toFixed(1)} s each`);
    // There and back again: a machine that gets steadily slower takes from each contender the same.
    for (const { contender, measured } of turn % 2 === 1 ? runs : runs.toReversed()) {
      measured.push(await contender.load(generator, slice));
    }
  }
  for (const [index, run] of runs.entries())
    run.cpu = cpuBetween(before[index], await readCpu(run.contender));
  return runs;
}
