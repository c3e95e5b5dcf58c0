import { isObject } from "../protocol/is-object.ts";
import {
  allowsValue,
  isTheme,
  THEME_VARIABLES,
  type Theme,
  type ThemeVariable,
} from "../protocol/theme-variables.ts";
import { contrast, luminance, type Rgb, readableOn, readRgb, withAlpha } from "./colour.ts";
import { findElement } from "./find-element.ts";

const PROPERTIES: Readonly<Record<ThemeVariable, string>> = {
  colorPrimary: "--primary",
  colorText: "--text",
  colorBackground: "--background",
  colorDanger: "--danger",
  colorBorder: "--border",
  fontFamily: "--font",
  fontSizeBase: "--size",
  borderRadius: "--radius",
  spacingUnit: "--unit",
};

type UiOptions = { readonly theme?: unknown; readonly variables?: unknown };

/**
 * Applies the page's theme. Checks the values again, since they become CSS here, and sets them property by property,
 * which needs no exception in the Content-Security-Policy.
 */
export function applyTheme(ui: UiOptions): void {
  const root = document.documentElement;
  const variables = isObject(ui.variables) ? ui.variables : {};
  for (const name of THEME_VARIABLES) {
    const value = variables[name];
    if (allowsValue(name, value)) root.style.setProperty(PROPERTIES[name], value);
  }
  const background = colourOf(variables["colorBackground"]);
  const theme = isTheme(ui.theme) ? ui.theme : background && themeFor(background);
  if (theme !== undefined) root.setAttribute("data-theme", theme);
  if (background !== undefined) root.style.setProperty("--field", "var(--background)");

  const text = colourOf(variables["colorText"]);
  if (text !== undefined) {
    root.style.setProperty("--muted", withAlpha(text, 0.76));
    root.style.setProperty("--line", withAlpha(text, 0.16));
  }
  const primary = colourOf(variables["colorPrimary"]);
  if (primary !== undefined) {
    root.style.setProperty("--on-primary", readableOn(primary));
    root.style.setProperty("--ring", withAlpha(primary, 0.24));
    // A colour that works for a button can be too faint for thin lines: then lines and links use the text's colour.
    const behind = background ?? readRgb(getComputedStyle(findElement(document, "main")).backgroundColor);
    if (behind && contrast(primary, behind) < 4.5) root.style.setProperty("--accent", "var(--text)");
  }
}

/** A page's own background decides the theme, not the payer's system. */
function themeFor(background: Rgb): Theme {
  return luminance(background) > 0.3 ? "light" : "dark";
}

/** The browser parses the colour, in any notation that it knows. */
function colourOf(value: unknown): Rgb | undefined {
  if (!allowsValue("colorPrimary", value)) return undefined;
  const probe = document.createElement("span");
  probe.style.color = value;
  document.body.appendChild(probe);
  const colour = probe.style.color === "" ? undefined : readRgb(getComputedStyle(probe).color);
  document.body.removeChild(probe);
  return colour;
}
