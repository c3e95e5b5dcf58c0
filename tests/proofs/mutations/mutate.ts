import { stripTypeScriptTypes } from "node:module";
import { lineAt } from "../../../tools/tidy/problem.ts";
import { scan } from "../../../tools/tidy/scan.ts";

/** A small change of the code that a good test notices. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly kind: "comparison" | "boundary" | "arithmetic" | "boolean" | "number" | "return" | "transition";
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

type Change = Pick<Mutant, "kind" | "from" | "to"> & { readonly at: number };

function changesByOperators(code: string, text: string): readonly Change[] {
  return OPERATORS.flatMap(({ kind, pattern, to }) =>
    [...code.matchAll(pattern)].map(({ 0: { length }, index: at }) => {
      const from = text.slice(at, at + length);
      return { kind, at, from, to: to(from) };
    }),
  );
}

/** `const lifecycle: Lifecycle<…> = { … };` or `const lifecycle = { … } as const satisfies Lifecycle<…>;` */
const TABLE =
  /^export const \w+(?:: Lifecycle<[^=]*> = \{$[\s\S]*?^\};|\s= \{$[^;]*?^\} as const satisfies Lifecycle<)/gm;
const STATE = /^ {2}(\w+): \{/gm;
const TRANSITION = /\b\w+: "(\w+)"(?:, ?)?/g;

/** Each transition of a lifecycle once leads to another state of its table, and once is gone. */
function changesOfTables(text: string): readonly Change[] {
  return [...text.matchAll(TABLE)].flatMap(({ 0: table, index: start }) => {
    const states = [...table.matchAll(STATE)].map(([, state = ""]) => state);
    return [...table.matchAll(TRANSITION)].flatMap(({ 0: from, 1: target = "", index }) => {
      const other = states[(states.indexOf(target) + 1) % states.length] ?? target;
      const led = from.replace(`"${target}"`, `"${other}"`);
      return [led, ""].map((to) => ({ kind: "transition" as const, at: start + index, from, to }));
    });
  });
}

/** Every mutant of a file. A change that type stripping removes again, or that does not parse, is none. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const plain = squeeze(stripTypeScriptTypes(text));
  const changes = [...changesByOperators(scan(text).code, text), ...changesOfTables(text)];
  return changes.flatMap(({ kind, at, from, to }): readonly Mutant[] => {
    const changed = text.slice(0, at) + to + text.slice(at + from.length);
    const stripped = strip(changed);
    if (stripped === undefined || squeeze(stripped) === plain) return [];
    return [{ file, line: lineAt(text, at), kind, from, to, text: changed }];
  });
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
