/** A place in the docs that a search can find. */
export type SearchEntry = {
  readonly title: string;
  /** What it is part of: the guide of a section, the method and path of an operation. */
  readonly place: string;
  readonly address: string;
  /** The beginning of its text. */
  readonly text: string;
  /** Other words of its text, each once. */
  readonly words: string;
};

/** A longer query is cut off. */
const LONGEST_QUERY = 100;

/** Words of nearly every text: a search for them beside others finds the same without them. */
const COMMON =
  "a an and are as at be by can for from has have in is it its no not of on one or that the they this to was with";

export const isCommon = (word: string): boolean => ` ${COMMON} `.includes(` ${word} `);

/**
 * The entries that contain every word of the query, best first. A word may be the beginning of one. The page of results
 * and the script of the search box share this, so they find the same.
 */
export function findEntries(
  entries: readonly SearchEntry[],
  query: string,
  atMost: number,
): readonly SearchEntry[] {
  const all = query
    .slice(0, LONGEST_QUERY)
    .toLowerCase()
    .split(/[\s,;"'`]+/)
    .filter((word) => word !== "");
  const rare = all.filter((word) => !isCommon(word));
  const words = rare.length > 0 ? rare : all;
  if (words.length === 0) return [];
  const found: { readonly entry: SearchEntry; readonly score: number }[] = [];
  for (const entry of entries) {
    const scores = words.map((word) => scoreOf(entry, word));
    if (scores.every((score) => score > 0))
      found.push({ entry, score: scores.reduce((sum, score) => sum + score, 0) });
  }
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, atMost).map(({ entry }) => entry);
}

function scoreOf({ title, place, text, words }: SearchEntry, word: string): number {
  const score = (within: string, whole: number, beginning: number, part: number): number => {
    const padded = ` ${within.toLowerCase().replace(/[^a-z0-9_]+/g, " ")} `;
    if (padded.includes(` ${word} `)) return whole;
    if (padded.includes(` ${word}`)) return beginning;
    return within.toLowerCase().includes(word) ? part : 0;
  };
  return score(title, 40, 24, 12) || score(place, 10, 8, 6) || score(text, 5, 4, 2) || score(words, 3, 2, 1);
}
