import { audit, describeCpu, describeRun, durabilityOf, rateRatio, spread, verdict } from "../lines.ts";
import type { Finding } from "../question.ts";
import { percentile, together } from "../statistics.ts";
import type { Run } from "../turns.ts";

const RATE_GOAL = 0.8;
const P99_GOAL = 2.5;

/** One line per contender, then the ratios with their goals, then whether the tables hold every acknowledged answer. */
export async function reportCreates(runs: readonly Run[]): Promise<Finding> {
  const [floor, ours, silent] = runs;
  if (floor === undefined || ours === undefined || silent === undefined)
    throw new Error("a contender is missing");
  const ratio = rateRatio(ours, floor);
  const slowdown = percentile(together(ours.measured), 0.99) / percentile(together(floor.measured), 0.99);
  const audits = await Promise.all(runs.map(audit));
  const settings = await durabilityOf(floor.contender);
  return {
    lines: [
      ...runs.map(describeRun),
      `rate: ${ratio.toFixed(2)} of the floor (middle half of the slices: ${spread(ours, floor)}); goal ${RATE_GOAL}: ${verdict(ratio >= RATE_GOAL)}`,
      `p99: ${slowdown.toFixed(2)} times the floor's; goal ${P99_GOAL}: ${verdict(slowdown <= P99_GOAL)}`,
      ...describeCpu(runs),
      `with the log silent: ${rateRatio(silent, floor).toFixed(2)} of the floor`,
      ...audits.map(({ line }) => line),
      `server: ${settings.line}`,
    ],
    met:
      ratio >= RATE_GOAL &&
      slowdown <= P99_GOAL &&
      settings.durable &&
      audits.every(({ balanced }) => balanced),
  };
}
