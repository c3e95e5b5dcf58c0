import { table } from "../docs/markdown.ts";
import type { Recorded } from "./record.ts";

/** Each pair that raced; undefined if no run reported its pairs. */
export function racesTable(runs: readonly Recorded[]): string | undefined {
  const rows = runs.flatMap(({ name, pairs = [] }) =>
    pairs.map(({ pair, trials, calls, rarest }) => [
      pair,
      trials.toLocaleString("en"),
      calls.toLocaleString("en"),
      rarest === undefined ? "" : `${rarest}%`,
      name,
    ]),
  );
  if (rows.length === 0) return undefined;
  return table(["Pair", "Trials", "Calls", "Trials with the rarest outcome", "Proof"], rows);
}
