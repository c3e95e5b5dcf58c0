/** The word that was most likely meant; undefined when none is near enough. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, far: distance(typed, word) }))
    .toSorted((one, other) => one.far - other.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.max(2, Math.floor(typed.length / 3)) ? best.word : undefined;
}

/** How many characters one has to add, drop, change or swap with a neighbour to get from one word to the other. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row += 1) {
    const made = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const same = from[row - 1] === to[at - 1];
      const swapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      made[at] = Math.min(
        cell(rows[row - 1], at) + 1,
        cell(made, at - 1) + 1,
        cell(rows[row - 1], at - 1) + (same ? 0 : 1),
        swapped ? cell(rows[row - 2], at - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(made);
  }
  return cell(rows[from.length], to.length);
}

function cell(row: readonly number[] | undefined, at: number): number {
  return row?.[at] ?? Number.POSITIVE_INFINITY;
}
