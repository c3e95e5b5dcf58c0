import { BOUNDS, FIRST_QUARTER, LAST_QUARTER } from "../../tests/support/vital-signs.ts";
import { table } from "../docs/markdown.ts";
import type { Recorded } from "./record.ts";

const isOfQuarter = (what: string): boolean => what.endsWith(FIRST_QUARTER) || what.endsWith(LAST_QUARTER);

/** What a proof measured, without the pairs that have a table of their own. */
export function measuredOf({ most }: Recorded): readonly string[] {
  return Object.entries(most)
    .filter(([what]) => !isOfQuarter(what))
    .map(([what, value]) => `${what}: ${value.toLocaleString("en")}`);
}

/** Each figure of a long life in its first and its last quarter, side by side; undefined if none was measured so. */
export function flatTable(record: readonly Recorded[]): string | undefined {
  const rows = record.flatMap(({ most }) =>
    Object.entries(most).flatMap(([what, value]) => {
      if (!what.endsWith(FIRST_QUARTER)) return [];
      const figure = what.slice(0, -FIRST_QUARTER.length);
      const last = most[figure + LAST_QUARTER];
      if (last === undefined) return [];
      return [[figure, ...[value, last].map((one) => one.toLocaleString("en")), boundOf(figure)]];
    }),
  );
  return rows.length === 0 ? undefined : table(["Figure", "First quarter", "Last quarter", "Bound"], rows);
}

/** Tables have one of their own: their growth is compared. */
function boundOf(figure: string): string {
  const bound = Object.values(BOUNDS).find(({ about }) => about === figure);
  if (bound === undefined) return "";
  return bound.factor === 1 ? `first + ${bound.plus}` : `${bound.factor} × first + ${bound.plus}`;
}
