export type Rgb = readonly [red: number, green: number, blue: number];

/** Reads a computed colour: rgb(11, 95, 124), with or without alpha. */
export function readRgb(computed: string): Rgb | undefined {
  const [, red, green, blue] = /^rgba?\((\d+), (\d+), (\d+)/.exec(computed) ?? [];
  return blue === undefined ? undefined : [Number(red), Number(green), Number(blue)];
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
