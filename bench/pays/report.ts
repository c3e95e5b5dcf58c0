import { audit, describeCpu, describeRun, durabilityOf, rateRatio, spread, verdict } from "../lines.ts";
import type { Finding } from "../question.ts";
import type { Run } from "../turns.ts";

const RATE_GOAL = 0.5;

/** One line per contender, the ratio with its goal, then whether every acknowledged payment is in all the books. */
export async function reportPays(runs: readonly Run[]): Promise<Finding> {
  const [floor, merged, ours] = runs;
  if (floor === undefined || merged === undefined || ours === undefined)
    throw new Error("a contender is missing");
  const ratio = rateRatio(ours, floor);
  const books = await Promise.all(runs.map(audit));
  const settings = await durabilityOf(floor.contender);
  return {
    lines: [
      ...runs.map(describeRun),
      `rate: ${ratio.toFixed(2)} of the floor (middle half of the slices: ${spread(ours, floor)}); goal ${RATE_GOAL}: ${verdict(ratio >= RATE_GOAL)}`,
      `rate against the floor whose transactions are one statement each: ${rateRatio(ours, merged).toFixed(2)} (${spread(ours, merged)})`,
      ...describeCpu(runs),
      ...books.map(({ line }) => line),
      `server: ${settings.line}`,
    ],
    met: ratio >= RATE_GOAL && settings.durable && books.every(({ balanced }) => balanced),
  };
}
