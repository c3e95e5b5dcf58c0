import fc from "fast-check";

type Names = readonly ["createdFrom" | "updatedFrom", "createdTo" | "updatedTo"];

/** The parameters of a range in a list whose rows never change: both kinds mean the same there, also mixed. */
export const rangeNames = fc.constantFrom<Names[]>(
  ["createdFrom", "createdTo"],
  ["updatedFrom", "updatedTo"],
  ["createdFrom", "updatedTo"],
  ["updatedFrom", "createdTo"],
);

/** The range between two moments, the earlier included, the later not. */
export function rangeBetween([nameOfFrom, nameOfTo]: Names, moments: readonly [string, string]) {
  const [from = "", to = ""] = moments.toSorted();
  return {
    query: { [nameOfFrom]: from, [nameOfTo]: to },
    isWithin: (moment: string) => moment >= from && moment < to,
  };
}
