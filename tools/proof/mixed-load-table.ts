import { KINDS } from "../../tests/support/mixed-load/answered.ts";
import { table } from "../docs/markdown.ts";
import type { Recorded } from "./record.ts";

const IS_KIND: ReadonlySet<string> = new Set(KINDS);

const countsKinds = ({ counts }: Recorded): boolean => KINDS.every((kind) => counts[kind] !== undefined);

/** What a proof counts beyond the kinds of work of its mixed load. */
export function headlinesOf(run: Recorded): Readonly<Record<string, number>> {
  if (!countsKinds(run)) return run.counts;
  return Object.fromEntries(Object.entries(run.counts).filter(([what]) => !IS_KIND.has(what)));
}

/** How often each kind of work was done, a column for each proof; undefined if none counted it. */
export function mixedLoadTable(record: readonly Recorded[]): string | undefined {
  const runs = record.filter(countsKinds);
  if (runs.length === 0) return undefined;
  return table(
    ["Done and kept", ...runs.map(({ name }) => name)],
    KINDS.map((kind) => [kind, ...runs.map(({ counts }) => (counts[kind] ?? 0).toLocaleString("en"))]),
  );
}
