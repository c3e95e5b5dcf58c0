import { isSafeValue, isTheme, isThemeVariable, type Theme } from "../../browser/protocol/theme-variables.ts";
import { contrast, luminance, type Rgb, readableOn, withAlpha } from "../../browser/ui/colour.ts";
import type { DefaultTheme, Merchant } from "../features/merchants/index.ts";
import { makeAsset } from "../platform/assets/asset.ts";

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
  const background = hexColour(variables["colorBackground"]);
  if (background === undefined) return undefined;
  return luminance(background) > 0.3 ? "light" : "dark";
}

/** As the frame applies it (`browser/ui/apply-theme.ts`), for pages that work without scripts. */
export function themeCss(theme: DefaultTheme): string {
  const given = (name: string): string | undefined => {
    const value = theme.variables[name];
    return isThemeVariable(name) && isSafeValue(name, value) ? value : undefined;
  };
  const lines: string[] = [];
  const set = (property: string, value: string | undefined) => {
    if (value !== undefined) lines.push(`  ${property}: ${value};`);
  };
  set("--background", given("colorBackground"));
  set("--primary", given("colorPrimary"));
  set("--text", given("colorText"));
  set("--danger", given("colorDanger"));
  set("--border", given("colorBorder"));
  set("--font", given("fontFamily"));
  if (given("colorBackground") !== undefined) set("--field", "var(--background)");
  const text = hexColour(given("colorText"));
  if (text !== undefined) {
    set("--muted", withAlpha(text, 0.76));
    set("--line", withAlpha(text, 0.16));
  }
  const primary = hexColour(given("colorPrimary"));
  if (primary !== undefined) {
    const behind = hexColour(given("colorBackground")) ?? (schemeOf(theme) === "dark" ? DARK : WHITE);
    set("--on-primary", readableOn(primary));
    if (contrast(primary, behind) < 4.5) set("--accent", "var(--text)");
  }
  const size = given("fontSizeBase");
  if (size !== undefined) set("--size", `clamp(12px, ${size}, 24px)`);
  const unit = given("spacingUnit");
  // A share would be one of the page's width.
  if (unit !== undefined && !unit.includes("%")) set("--unit", `clamp(2px, ${unit}, 12px)`);
  const radius = given("borderRadius");
  set("--radius", radius);
  if (radius?.endsWith("px") === true) set("--surface-radius", `min(calc(${radius} * 1.5), 48px)`);
  return `:root:root:root {\n${lines.join("\n")}\n}\n`;
}

/** Colours as the pickers of the dashboard write them; what derives from any other notation keeps its default. */
function hexColour(value: string | undefined): Rgb | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value ?? "") ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}
