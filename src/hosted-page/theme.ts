import { contrast, luminance, type Rgb, readableOn, readColour, withAlpha } from "../../browser/ui/colour.ts";
import type { PageTheme } from "../features/hosted-pages/index.ts";
import type { DefaultTheme, Merchant } from "../features/merchants/index.ts";
import { defined } from "../kernel/defined.ts";
import { THEME_FONTS } from "../kernel/theme-fonts.ts";
import {
  isSafeValue,
  isTheme,
  propertyOf,
  type Theme,
  type ThemeVariable,
} from "../kernel/theme-variables.ts";
import { makeAsset } from "../platform/assets/asset.ts";

/** The page's own theme; what it leaves open is the merchant's. Undefined where neither has one. */
export function themeOf({ theme: own }: Merchant, page: PageTheme | undefined): DefaultTheme | undefined {
  if (page === undefined) return own ?? undefined;
  const fontFamily = page.font && THEME_FONTS[page.font];
  const { theme = own?.theme } = page;
  return {
    ...defined({ theme }),
    variables: { ...own?.variables, ...page.variables, ...defined({ fontFamily }) },
  };
}

const WHITE: Rgb = [255, 255, 255];
const DARK: Rgb = [21, 26, 33];

/** The stylesheet of a merchant's own theme; undefined where the merchant has none. */
export function themePath({ id, theme }: Merchant): string | undefined {
  if (theme === null) return undefined;
  const { hash } = makeAsset(themeCss(theme), "text/css");
  return `/static/pay/themes/${id.slice("mer_".length)}/${hash}.css`;
}

/** Light or dark, where the theme or its background decides it. */
export function schemeOf({ theme, variables }: DefaultTheme): Theme | undefined {
  if (isTheme(theme)) return theme;
  const background = readHexOrRgb(variables["colorBackground"]);
  if (background === undefined) return undefined;
  return luminance(background) > 0.3 ? "light" : "dark";
}

/**
 * As the frame applies it (`browser/ui/apply-theme.ts`), for pages that work without scripts. A value that the payer's browser
 * does not take is left out with what derives from it.
 */
export function themeCss(theme: DefaultTheme): string {
  const given = (name: ThemeVariable): string | undefined => {
    const value = theme.variables[name];
    return isSafeValue(name, value) ? value : undefined;
  };
  const rules: string[] = [];
  const set = (name: ThemeVariable, properties: (value: string) => Properties) => {
    const value = given(name);
    if (value === undefined) return;
    const lines = Object.entries(properties(value)).map(([property, text]) => `    ${property}: ${text};\n`);
    rules.push(`@supports (${propertyOf(name)}: ${value}) {\n  :root:root:root {\n${lines.join("")}  }\n}\n`);
  };
  set("colorBackground", (value) => ({ "--background": value, "--field": "var(--background)" }));
  set("colorPrimary", (value) => ({ "--primary": value, ...besidePrimary(theme, value) }));
  // Without a scheme the payer's system decides, and the colour may be too faint on dark.
  const primary = readHexOrRgb(given("colorPrimary"));
  if (schemeOf(theme) === undefined && primary !== undefined && contrast(primary, DARK) < 4.5)
    rules.push(
      "@media screen and (prefers-color-scheme: dark) {\n  :root:root:root {\n    --accent: var(--text);\n  }\n}\n",
    );
  set("colorText", (value) => ({ "--text": value, ...besideText(value) }));
  set("colorDanger", (value) => ({ "--danger": value }));
  set("colorBorder", (value) => ({ "--border": value }));
  set("fontFamily", (value) => ({ "--font": value }));
  set("fontSizeBase", (value) => ({ "--size": `clamp(12px, ${value}, 24px)` }));
  // A share would be one of the page's width.
  set("spacingUnit", (value) => (value.includes("%") ? {} : { "--unit": `clamp(2px, ${value}, 12px)` }));
  set("borderRadius", (value) => ({
    "--radius": value,
    ...(value.endsWith("px") && { "--surface-radius": `min(calc(${value} * 1.5), 48px)` }),
  }));
  return rules.join("");
}

type Properties = Readonly<Record<string, string>>;

function besidePrimary(theme: DefaultTheme, value: string): Properties {
  const primary = readHexOrRgb(value);
  if (primary === undefined) return {};
  const behind =
    readHexOrRgb(theme.variables["colorBackground"]) ?? (schemeOf(theme) === "dark" ? DARK : WHITE);
  return {
    "--on-primary": readableOn(primary),
    ...(contrast(primary, behind) < 4.5 && { "--accent": "var(--text)" }),
  };
}

function besideText(value: string): Properties {
  const text = readHexOrRgb(value);
  return text === undefined ? {} : { "--muted": withAlpha(text, 0.76), "--line": withAlpha(text, 0.16) };
}

/** What derives from a colour in any other notation keeps its default. */
function readHexOrRgb(value = ""): Rgb | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value)?.slice(1);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value)?.slice(1);
  const [red, green, blue] = (short?.map((digit) => digit + digit) ?? long ?? []).map((digits) =>
    Number.parseInt(digits, 16),
  );
  if (red !== undefined && green !== undefined && blue !== undefined) return [red, green, blue];
  const rgb = readColour(value)?.rgb;
  return rgb?.every(Number.isFinite) === true ? rgb : undefined;
}
