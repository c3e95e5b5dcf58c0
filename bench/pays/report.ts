import { audit, describeCpu, describeRun, durabilityOf, rateRatio, spread, verdict } from "../lines.ts";
import type { Finding } from "../question.ts";
import { type Load, percentile, together } from "../statistics.ts";
import type { Run } from "../turns.ts";

/** Of the floor whose transactions are one statement each. */
const RATE_GOAL = 0.7;
const P50_GOAL_MS = 15;
/** What a request takes depends on how many wait before it, so it is measured below the limit, too. */
export const PAYMENTS_A_SECOND = 100;

/** One line per contender, the ratio with its goal, then whether the tables hold every acknowledged payment. */
export async function reportPays(runs: readonly Run[], paced: Load | undefined): Promise<Finding> {
  const [floor, merged, ours] = runs;
  if (floor === undefined || merged === undefined || ours === undefined || paced === undefined)
    throw new Error("a contender is missing");
  const ratio = rateRatio(ours, merged);
  const [p50, busy] = [percentile(paced, 0.5), percentile(together(ours.measured), 0.5)];
  const all = [floor, merged, { ...ours, warmUp: [...ours.warmUp, paced] }];
  const audits = await Promise.all(all.map(audit));
  const settings = await durabilityOf(floor.contender);
  return {
    lines: [
      ...runs.map(describeRun),
      `rate: ${ratio.toFixed(2)} of the floor whose transactions are one statement each (middle half of the slices: ${spread(ours, merged)}); goal ${RATE_GOAL}: ${verdict(ratio >= RATE_GOAL)}`,
      `rate against the floor of the same statements one by one: ${rateRatio(ours, floor).toFixed(2)} (${spread(ours, floor)})`,
      `at ${PAYMENTS_A_SECOND} payments a second: p50 ${p50.toFixed(1)} ms, p99 ${percentile(paced, 0.99).toFixed(1)} ms; goal of the p50 ${P50_GOAL_MS} ms: ${verdict(p50 < P50_GOAL_MS)}`,
      `p50: ${busy.toFixed(1)} ms with all connections busy; goal ${P50_GOAL_MS} ms: ${verdict(busy < P50_GOAL_MS)}`,
      ...describeCpu(runs),
      ...audits.map(({ line }) => line),
      `server: ${settings.line}`,
    ],
    met:
      ratio >= RATE_GOAL &&
      Math.max(p50, busy) < P50_GOAL_MS &&
      settings.durable &&
      audits.every(({ balanced }) => balanced),
  };
}
