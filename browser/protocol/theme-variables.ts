/**
 * The theme variables that a page may set, and their allowed values. Values become CSS custom properties, so each must be
 * a plain colour, length or list of fonts: no function but rgb() and hsl(), no url, no var, no semicolon, no brace.
 */
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const RGB = /^rgb\((?: ?\d{1,3} ?,){2} ?\d{1,3} ?\)$/i;
const HSL = /^hsl\( ?\d{1,3}(?: ?, ?\d{1,3}%){2} ?\)$/i;
const NAME = /^[a-z]{3,20}$/i;
const CSS_KEYWORD = /^(?:inherit|initial|unset|revert|currentcolor|transparent)$/i;
const LENGTH = /^(\d{1,2}(?:\.\d{1,3})?)(px|rem)$/;
const FONT = /^(?:"[a-z][a-z0-9 -]*"|'[a-z][a-z0-9 -]*'|-?[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)$/i;

const PIXELS_PER_REM = 16;
const MAX_FONT_LIST = 200;

type Rule = { readonly allows: (value: string) => boolean; readonly allowed: string };

const colour: Rule = {
  allows: (value) =>
    HEX.test(value) || RGB.test(value) || HSL.test(value) || (NAME.test(value) && !CSS_KEYWORD.test(value)),
  allowed: "a colour such as #0b5f7c, rgb(11, 95, 124) or teal",
};

const fonts: Rule = {
  allows: (value) =>
    value.length <= MAX_FONT_LIST && value.split(",").every((font) => FONT.test(font.trim())),
  allowed: "fonts of the system, such as Georgia, serif",
};

function length(from: number, to: number): Rule {
  return {
    allows: (value) => {
      const [, number, unit] = LENGTH.exec(value === "0" ? "0px" : value) ?? [];
      const pixels = Number(number) * (unit === "rem" ? PIXELS_PER_REM : 1);
      return pixels >= from && pixels <= to;
    },
    allowed: `${from}px to ${to}px, in px or rem`,
  };
}

const VARIABLES = {
  colorPrimary: colour,
  colorText: colour,
  colorBackground: colour,
  colorDanger: colour,
  colorBorder: colour,
  fontFamily: fonts,
  fontSizeBase: length(12, 24),
  borderRadius: length(0, 32),
  spacingUnit: length(2, 12),
} as const;

export type ThemeVariable = keyof typeof VARIABLES;
export const THEME_VARIABLES = Object.keys(VARIABLES) as readonly ThemeVariable[];

export function isThemeVariable(name: string): name is ThemeVariable {
  return THEME_VARIABLES.some((known) => known === name);
}

export function isColourVariable(name: ThemeVariable): boolean {
  return VARIABLES[name] === colour;
}

export function allowsValue(name: ThemeVariable, value: unknown): value is string {
  return typeof value === "string" && VARIABLES[name].allows(value);
}

export function allowedValues(name: ThemeVariable): string {
  return VARIABLES[name].allowed;
}

export type Theme = "light" | "dark";

export function isTheme(theme: unknown): theme is Theme {
  return theme === "light" || theme === "dark";
}
