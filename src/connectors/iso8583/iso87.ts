import type { Dialect, FieldRule, Format, Length } from "./dialect.ts";

type Row = readonly [first: number, last: number, format: Format, length: Length, maximum: number];

/**
 * The fields of ISO 8583:1987, by ranges that share a rule. Formats and lengths are those that jPOS's ISO87APackager and
 * ISO87BPackager use, because most test hosts of acquirers speak one of the two.
 */
const FIELDS: readonly Row[] = [
  [2, 2, "n", "ll", 19],
  [3, 3, "n", "fixed", 6],
  [4, 6, "n", "fixed", 12],
  [7, 7, "n", "fixed", 10],
  [8, 10, "n", "fixed", 8],
  [11, 12, "n", "fixed", 6],
  [13, 18, "n", "fixed", 4],
  [19, 24, "n", "fixed", 3],
  [25, 26, "n", "fixed", 2],
  [27, 27, "n", "fixed", 1],
  [28, 31, "x+n", "fixed", 9],
  [32, 33, "n", "ll", 11],
  [34, 34, "ans", "ll", 28],
  [35, 35, "z", "ll", 37],
  [36, 36, "ans", "lll", 104],
  [37, 37, "ans", "fixed", 12],
  [38, 38, "ans", "fixed", 6],
  [39, 39, "ans", "fixed", 2],
  [40, 40, "ans", "fixed", 3],
  [41, 41, "ans", "fixed", 8],
  [42, 42, "ans", "fixed", 15],
  [43, 43, "ans", "fixed", 40],
  [44, 44, "ans", "ll", 25],
  [45, 45, "ans", "ll", 76],
  [46, 48, "ans", "lll", 999],
  [49, 51, "ans", "fixed", 3],
  [52, 52, "b", "fixed", 8],
  [53, 53, "n", "fixed", 16],
  [54, 54, "ans", "lll", 120],
  [55, 63, "ans", "lll", 999],
  [64, 64, "b", "fixed", 8],
  [65, 65, "b", "fixed", 1],
  [66, 66, "n", "fixed", 1],
  [67, 67, "n", "fixed", 2],
  [68, 70, "n", "fixed", 3],
  [71, 72, "n", "fixed", 4],
  [73, 73, "n", "fixed", 6],
  [74, 81, "n", "fixed", 10],
  [82, 85, "n", "fixed", 12],
  [86, 89, "n", "fixed", 16],
  [90, 90, "n", "fixed", 42],
  [91, 91, "ans", "fixed", 1],
  [92, 92, "ans", "fixed", 2],
  [93, 93, "ans", "fixed", 6],
  [94, 94, "ans", "fixed", 7],
  [95, 95, "ans", "fixed", 42],
  [96, 96, "b", "fixed", 16],
  [97, 97, "x+n", "fixed", 17],
  [98, 98, "ans", "fixed", 25],
  [99, 100, "n", "ll", 11],
  [101, 101, "ans", "ll", 17],
  [102, 103, "ans", "ll", 28],
  [104, 104, "ans", "lll", 100],
  [105, 127, "ans", "lll", 999],
  [128, 128, "b", "fixed", 8],
];

type Encodings = Pick<FieldRule, "digits" | "bytes" | "prefix">;

/** An odd number of packed digits has its zero on the left in a fixed field, on the right in one with a length. */
function expand(encodings: Encodings): ReadonlyMap<number, FieldRule> {
  const fields = new Map<number, FieldRule>();
  for (const [first, last, format, length, maximum] of FIELDS) {
    const pad = length === "fixed" ? "left" : "right";
    for (let field = first; field <= last; field += 1) {
      fields.set(field, { format, length, maximum, ...encodings, pad });
    }
  }
  return fields;
}

/** What jPOS's ISO87APackager reads and writes. */
export const ISO87_ASCII: Dialect = {
  name: "iso87-ascii",
  header: "",
  messageType: "ascii",
  bitmap: "hex",
  fields: expand({ digits: "ascii", bytes: "hex", prefix: "ascii" }),
};

/** What jPOS's ISO87BPackager reads and writes. */
export const ISO87_BINARY: Dialect = {
  name: "iso87-binary",
  header: "",
  messageType: "packed",
  bitmap: "raw",
  fields: expand({ digits: "packed", bytes: "raw", prefix: "packed" }),
};

export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [ISO87_ASCII, ISO87_BINARY].map((dialect) => [dialect.name, dialect]),
);
