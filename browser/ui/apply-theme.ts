import { isTheme, type Theme, type ThemeVariable } from "../../src/kernel/theme-variables.ts";
import { isTaken } from "../protocol/is-taken.ts";
import type { UiOptions } from "../protocol/messages.ts";
import {
  blend,
  type Colour,
  contrast,
  luminance,
  type Rgb,
  readableOn,
  readColour,
  withAlpha,
} from "./colour.ts";
import { getElement } from "./get-element.ts";

const COLOURS = [
  ["colorBackground", "--background"],
  ["colorPrimary", "--primary"],
  ["colorText", "--text"],
  ["colorDanger", "--danger"],
  ["colorBorder", "--border"],
] as const;

const WHITE: Rgb = [255, 255, 255];

/** In px. Outside of them the form can't be read or used, so a length becomes the nearest one. */
const TEXT_SIZES = [12, 24] as const;
const SPACINGS = [2, 12] as const;
const MAX_SURFACE_RADIUS = 48;

type Taken = (name: ThemeVariable) => string | undefined;

/**
 * Applies the page's theme. Checks the values again, since a message can come from any page, and sets what the browser
 * computes from them, never the text itself. `own` is the merchant's theme, for what the page leaves open. Property by
 * property needs no exception in the Content-Security-Policy.
 */
export function applyTheme(ui: UiOptions, own: object | null): void {
  const variables: Readonly<Record<string, unknown>> = { ...own, ...(ui.variables as object) };
  const taken: Taken = (name) => {
    const value = variables[name];
    return isTaken(name, value) ? value : undefined;
  };
  applyColours({ ...own, ...ui }, taken);
  applyLengths(taken);
  const fonts = taken("fontFamily");
  if (fonts !== undefined) setProperty("--font", computed("font-family", fonts));
}

function applyColours({ theme, pageTheme }: UiOptions, taken: Taken): void {
  if (isTheme(theme)) setTheme(theme);
  else if (isTheme(pageTheme)) setTheme(pageTheme);

  const surface = readColour(getComputedStyle(getElement(document, "main")).backgroundColor);
  const found: { [name in ThemeVariable]?: Colour | undefined } = {};
  for (const [name, property] of COLOURS) {
    const value = taken(name);
    if (value === undefined) continue;
    setProperty(property, computed("color", value));
    found[name] = colourOf(value);
  }
  const { colorBackground: background, colorText: text, colorPrimary: primary } = found;
  let behind = surface === undefined ? WHITE : surface.rgb;
  if (background !== undefined) {
    // The page shows through a translucent background, and a page that declares no scheme is light.
    if (background.alpha < 1 && !isTheme(theme) && pageTheme === undefined) behind = WHITE;
    behind = blend(background, behind);
    if (!isTheme(theme)) setTheme(luminance(behind) > 0.3 ? "light" : "dark");
    setProperty("--field", "var(--background)");
  }
  if (text !== undefined) {
    setProperty("--muted", withAlpha(text.rgb, 0.76));
    setProperty("--line", withAlpha(text.rgb, 0.16));
  }
  const shown = primary ?? colourOf("var(--primary)");
  if (shown === undefined) return;
  const button = blend(shown, behind);
  if (primary !== undefined) setProperty("--on-primary", readableOn(button));
  // A colour that works for a button can be too faint for thin lines: then lines, links and the focus use the text's colour.
  if (contrast(button, behind) < 4.5) setProperty("--accent", "var(--text)");
}

/** The size of text comes first: other lengths may be relative to it. */
function applyLengths(taken: Taken): void {
  const size = taken("fontSizeBase");
  if (size !== undefined) {
    const { style } = document.documentElement;
    style.fontSize = size;
    const pixels = parseFloat(getComputedStyle(document.documentElement).fontSize);
    style.fontSize = "";
    setProperty("--size", `${within(pixels, TEXT_SIZES)}px`);
  }
  const unit = taken("spacingUnit");
  // A line height's percentage is one of the size of text; that of a distance would be one of the page's width.
  if (unit !== undefined) {
    setProperty("--unit", `${within(parseFloat(computed("line-height", unit)), SPACINGS)}px`);
  }
  const radius = taken("borderRadius");
  if (radius !== undefined) {
    const corner = computed("border-top-left-radius", radius);
    setProperty("--radius", corner);
    // Rounder, or by a share of its size, the surface would cut its content off.
    const isPixels = /^[\d.]+px$/.test(corner);
    setProperty(
      "--surface-radius",
      isPixels ? `${Math.min(parseFloat(corner) * 1.5, MAX_SURFACE_RADIUS)}px` : "12px",
    );
  }
}

/** The browser converts any notation that it knows into sRGB; an old one, without color-mix, knows no other space. */
function colourOf(value: string): Colour | undefined {
  return (
    readColour(computed("color", value)) ??
    readColour(computed("color", `color-mix(in srgb,${value},${value})`))
  );
}

/** What the browser makes of a value. */
function computed(property: string, value: string): string {
  const probe = document.createElement("span");
  probe.style.setProperty(property, value);
  document.body.appendChild(probe);
  const result = getComputedStyle(probe).getPropertyValue(property);
  document.body.removeChild(probe);
  return result;
}

function within(pixels: number, [least, most]: readonly [number, number]): number {
  return Math.min(Math.max(pixels, least), most);
}

function setTheme(theme: Theme): void {
  document.documentElement.setAttribute("data-theme", theme);
}

function setProperty(name: string, value: string): void {
  document.documentElement.style.setProperty(name, value);
}
