export type Rgb = readonly [red: number, green: number, blue: number];
export type Colour = { readonly rgb: Rgb; readonly alpha: number };

/** Reads a computed colour in sRGB: rgb(11, 95, 124), rgba(11, 95, 124, 0.5) or color(srgb 0.04 0.37 0.49 / 0.5). */
export function readColour(computed: string): Colour | undefined {
  const [, space, parts = ""] = /^(rgb|color\(srgb )a?\(?([^)]+)\)$/.exec(computed) ?? [];
  if (space === undefined) return undefined;
  // A missing component is "none" and means 0.
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts
    .split(/[ ,/]+/)
    .map((part) => (part === "none" ? 0 : Number(part)));
  const scale = space === "rgb" ? 1 : 255;
  const channel = (value: number): number => Math.round(Math.min(Math.max(value * scale, 0), 255));
  return { rgb: [channel(red), channel(green), channel(blue)], alpha };
}

/** What the eye sees where a translucent colour lies on an opaque one. */
export function blend({ rgb, alpha }: Colour, behind: Rgb): Rgb {
  const [red, green, blue] = rgb.map((value, at) => value * alpha + (behind[at] ?? 0) * (1 - alpha));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** Relative luminance as WCAG defines it: 0 is black, 1 is white. */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** From 1, no difference, to 21, black on white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever has more contrast. One of the two always has more than 4.5. */
export function readableOn(colour: Rgb): "#000" | "#fff" {
  return contrast(colour, [0, 0, 0]) > contrast(colour, [255, 255, 255]) ? "#000" : "#fff";
}

export function withAlpha([red, green, blue]: Rgb, alpha: number): string {
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}
