/**
 * The theme variables that a page may set, and their allowed values. A value becomes CSS, so its characters and functions
 * are limited to those of colours and lengths: no url(), var() or env(), no comment, escape, semicolon or brace. The
 * browser, which knows every notation, decides whether it is a colour or a length: see `isTaken`.
 */
const CHARACTERS = /^[a-z0-9 .,%+*/()#-]{1,100}$/i;
const FUNCTION = /[a-z0-9-]*\(/gi;
const SAFE_FUNCTION =
  /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?|light-dark|calc|min|max|clamp)\($/i;
const UNSAFE = /\/\*|--/;
/** Words that every CSS property takes. They name no value of their own. */
const CSS_WIDE = /^(?:inherit|initial|unset|default|revert.*)$/i;
const FONTS = /^[a-z0-9 ,"'-]{1,200}$/i;
const FONT = /^(?:"[a-z][a-z0-9 -]*"|'[a-z][a-z0-9 -]*'|-?[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)$/i;

type Kind = {
  /** The CSS property whose values the browser is asked about. */
  readonly property: string;
  readonly isSafe: (value: string) => boolean;
};

const colour: Kind = {
  property: "color",
  isSafe: isPlain,
};

const length: Kind = {
  property: "padding-top",
  isSafe: isPlain,
};

const fonts: Kind = {
  property: "font-family",
  isSafe: (value) => FONTS.test(value) && value.split(",").every((font) => FONT.test(font.trim())),
};

const VARIABLES = {
  colorPrimary: colour,
  colorText: colour,
  colorBackground: colour,
  colorDanger: colour,
  colorBorder: colour,
  fontFamily: fonts,
  fontSizeBase: length,
  borderRadius: length,
  spacingUnit: length,
} as const;

export type ThemeVariable = keyof typeof VARIABLES;
export const THEME_VARIABLES = /* @__PURE__ */ Object.keys(VARIABLES) as readonly ThemeVariable[];

export function isThemeVariable(name: string): name is ThemeVariable {
  return THEME_VARIABLES.some((known) => known === name);
}

/** The value can do no harm as CSS. It may still be no colour or length: see `isTaken`. */
export function isSafeValue(name: ThemeVariable, value: unknown): value is string {
  return typeof value === "string" && !CSS_WIDE.test(value.trim()) && VARIABLES[name].isSafe(value);
}

export function propertyOf(name: ThemeVariable): string {
  return VARIABLES[name].property;
}

/** By property, and apart: only the loader says so, and the frame need not load it. */
const ALLOWED: Readonly<Record<string, string>> = {
  color: "a CSS colour such as #0b5f7c or teal",
  "padding-top": "a CSS length such as 8px or 1em",
  "font-family": "fonts of the system, such as Georgia, serif",
};

export function allowedValues(name: ThemeVariable): string {
  return ALLOWED[propertyOf(name)] ?? "";
}

function isPlain(value: string): boolean {
  const functions = value.match(FUNCTION) ?? [];
  return CHARACTERS.test(value) && !UNSAFE.test(value) && functions.every((name) => SAFE_FUNCTION.test(name));
}

export type Theme = "light" | "dark";

export function isTheme(theme: unknown): theme is Theme {
  return theme === "light" || theme === "dark";
}
