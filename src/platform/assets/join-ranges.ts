type Range = readonly [first: number, last: number];

/** Prefixes of card numbers, alone or from the first to the last. */
export type Patterns = readonly (number | Range)[];

/**
 * Neighbours in the list of as many digits that touch or overlap become one: the library lists UnionPay's ranges as they
 * were assigned.
 */
export function joinRanges(patterns: Patterns): Patterns {
  const joined: Range[] = [];
  for (const pattern of patterns) {
    const [first, last] = rangeOf(pattern);
    const [start, end] = joined.at(-1) ?? [0, 0];
    const isNext = first >= start && first <= end + 1 && String(first).length === String(end).length;
    if (isNext) joined.pop();
    joined.push(isNext ? [start, Math.max(end, last)] : [first, last]);
  }
  return joined.map((range) => (range[0] === range[1] ? range[0] : range));
}

function rangeOf(pattern: number | Range): Range {
  return typeof pattern === "number" ? [pattern, pattern] : pattern;
}
