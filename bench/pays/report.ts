import { audit, describeCpu, describeRun, durabilityOf, rateRatio, spread, verdict } from "../lines.ts";
import type { Finding } from "../question.ts";
import type { Run } from "../turns.ts";

const RATE_GOAL = 0.7;

/** One line per contender, the ratio with its goal, then whether the tables hold every acknowledged payment. */
export async function reportPays(runs: readonly Run[]): Promise<Finding> {
  const [floor, merged, ours] = runs;
  if (floor === undefined || merged === undefined || ours === undefined)
    throw new Error("a contender is missing");
  const ratio = rateRatio(ours, floor);
  const audits = await Promise.all(runs.map(audit));
  const settings = await durabilityOf(floor.contender);
  return {
    lines: [
      ...runs.map(describeRun),
      `rate: ${ratio.toFixed(2)} of the floor (middle half of the slices: ${spread(ours, floor)}); goal ${RATE_GOAL}: ${verdict(ratio >= RATE_GOAL)}`,
      `rate against the floor whose transactions are one statement each: ${rateRatio(ours, merged).toFixed(2)} (${spread(ours, merged)})`,
      ...describeCpu(runs),
      ...audits.map(({ line }) => line),
      `server: ${settings.line}`,
    ],
    met: ratio >= RATE_GOAL && settings.durable && audits.every(({ balanced }) => balanced),
  };
}
