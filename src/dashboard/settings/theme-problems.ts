import { isSafeValue, propertyOf, type ThemeVariable } from "../../kernel/theme-variables.ts";

type Kind = {
  /** What the browser would not take, as far as its form shows it: whether a name is a colour's is left to the browser. */
  readonly form: RegExp;
  readonly isNot: string;
  readonly write: string;
};

const FONTS: Kind = {
  form: /^/,
  isNot: "a list of fonts",
  write: "names of fonts with commas between them, such as Georgia, serif",
};

const KINDS: Readonly<Record<string, Kind>> = {
  color: {
    form: /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+|[a-z-]+\(.+\))$/i,
    isNot: "a colour",
    write: "# and six hex digits, such as #0b5fff, or a name such as teal",
  },
  "padding-top": {
    form: /^(?:0|\+?(?:\d+|\d*\.\d+)(?:[a-z]+|%)|[a-z-]+\(.+\))$/i,
    isNot: "a length",
    write: "a number and its unit, such as 8px or 1em",
  },
};

/** Longer texts are cut off where the error repeats them. */
const LONGEST_QUOTE = 40;

/** What is wrong with a typed value, and what to type instead; undefined where it can be taken. */
export function themeProblem(name: ThemeVariable, value: string): string | undefined {
  const { form, isNot, write } = KINDS[propertyOf(name)] ?? FONTS;
  if (isSafeValue(name, value) && form.test(value)) return undefined;
  const quote = value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
  return `"${quote}" is not ${isNot}: write ${write}.`;
}
