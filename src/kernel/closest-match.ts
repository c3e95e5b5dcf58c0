/** Returns the word that the operator most likely meant; undefined if none is close enough. */
export function closestMatch(typed: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, distance: distanceBetween(typed, word) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(2, Math.floor(typed.length / 3))
    ? best.word
    : undefined;
}

/** How many characters to add, drop, change or swap with a neighbour to turn one word into the other. */
function distanceBetween(from: string, to: string): number {
  const rows = [[0, ...Array.from(to, (_, at) => at + 1)]];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const same = from[row - 1] === to[at - 1];
      const swapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      current[at] = Math.min(
        cell(rows[row - 1], at) + 1,
        cell(current, at - 1) + 1,
        cell(rows[row - 1], at - 1) + (same ? 0 : 1),
        swapped ? cell(rows[row - 2], at - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(current);
  }
  return cell(rows[from.length], to.length);
}

function cell(row: readonly number[] | undefined, at: number): number {
  return row?.[at] ?? Number.POSITIVE_INFINITY;
}
