import { stripTypeScriptTypes } from "node:module";
import { lineAt } from "../../../tools/tidy/problem.ts";
import { scan } from "../../../tools/tidy/scan.ts";

/** A small change of the code that a good test notices. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly kind: "comparison" | "boundary" | "arithmetic" | "boolean" | "number" | "return";
  readonly from: string;
  readonly to: string;
  /** The whole file with the change. */
  readonly text: string;
};

type Operator = {
  readonly kind: Mutant["kind"];
  readonly pattern: RegExp;
  readonly to: (from: string) => string;
};

const swaps = (pairs: Readonly<Record<string, string>>) => (from: string) => pairs[from] ?? from;

/** Biome puts spaces around every operator with two sides, and none around those of types. */
const OPERATORS: readonly Operator[] = [
  { kind: "comparison", pattern: /(?<= )(?:===|!==)(?= )/g, to: swaps({ "===": "!==", "!==": "===" }) },
  {
    kind: "boundary",
    pattern: /(?<= )(?:<=|>=|<|>)(?= )/g,
    to: swaps({ "<=": "<", ">=": ">", "<": "<=", ">": ">=" }),
  },
  {
    kind: "arithmetic",
    pattern: /(?<= )(?:\+|-|\*|\/|%)(?= )/g,
    to: swaps({ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" }),
  },
  { kind: "boolean", pattern: /(?<= )(?:&&|\|\|)(?= )/g, to: swaps({ "&&": "||", "||": "&&" }) },
  { kind: "boolean", pattern: /(?<=[\s(])!(?=[\w(])/g, to: () => "" },
  { kind: "boolean", pattern: /\b(?:true|false)\b/g, to: swaps({ true: "false", false: "true" }) },
  // An exponent is a part of a number, and of a comparator's result only the sign counts: `? -1 : 1`.
  {
    kind: "number",
    pattern: /(?<![\w.$]|e[-+]|\? -(?=1 : 1)|\? -1 : (?=1))\d[\d_]*(?![\w.])/g,
    to: (from) => String(asNumber(from) + 1),
  },
  { kind: "return", pattern: /(?<=\breturn )[^;\n{[]+(?=;)/g, to: () => "undefined as never" },
];

function asNumber(text: string): number {
  return Number(text.replaceAll("_", ""));
}

/** Every mutant of a file. A change that type stripping removes again, or that does not parse, is none. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const { code } = scan(text);
  const plain = stripTypeScriptTypes(text);
  return OPERATORS.flatMap(({ kind, pattern, to }) =>
    [...code.matchAll(pattern)].flatMap((match): readonly Mutant[] => {
      const from = text.slice(match.index, match.index + match[0].length);
      const changed = text.slice(0, match.index) + to(from) + text.slice(match.index + from.length);
      const stripped = strip(changed);
      if (stripped === undefined || squeeze(stripped) === squeeze(plain)) return [];
      return [{ file, line: lineAt(text, match.index), kind, from, to: to(from), text: changed }];
    }),
  );
}

function strip(text: string): string | undefined {
  try {
    return stripTypeScriptTypes(text);
  } catch {
    return undefined;
  }
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
