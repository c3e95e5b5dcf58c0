import { type Html, html } from "../../../../browser/ui/html.ts";
import { labelled, place, type Scale } from "./scale.ts";

/** A plot is drawn three times, each for its width; the styles show the one that fits, with text of 11 px or more. */
export const SIZES = {
  wide: { width: 720, height: 240, labels: 10 },
  medium: { width: 460, height: 220, labels: 7 },
  narrow: { width: 340, height: 200, labels: 5 },
} as const;
export type Size = (typeof SIZES)[keyof typeof SIZES];

export type Axes = {
  readonly scale: Scale;
  readonly tickText: (value: number) => string;
  /** One word under each place, from left to right. */
  readonly words: readonly string[];
};

/** The area between the axes. */
export type Area = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
};

const MARGIN = { left: 56, right: 18, top: 10, bottom: 26 };

function areaOf({ width, height }: Size, { scale, words }: Axes): Area {
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  return {
    left: MARGIN.left,
    top: MARGIN.top,
    ...inner,
    x: (at) => place(MARGIN.left + (inner.width * (at + 0.5)) / words.length),
    y: (value) =>
      place(MARGIN.top + inner.height * (1 - (value - scale.bottom) / (scale.top - scale.bottom))),
  };
}

export type Drawing = {
  readonly id: string;
  readonly title: string;
  /** The plot in a sentence, for screen readers. */
  readonly about: string;
  readonly axes: Axes;
  readonly content: (area: Area) => Html;
};

export function drawing(plot: Drawing): Html {
  const sizes = Object.keys(SIZES) as (keyof typeof SIZES)[];
  const { id, title } = plot;
  return html`<div class="plot-box" tabindex="0" role="group" aria-label="${title}: the arrow keys show each value" data-plot><p class="plot-value" id="${id}-value" role="status">&nbsp;</p>${sizes.map((name) => draw(plot, name))}</div>`;
}

function draw({ id, title, about, axes, content }: Drawing, name: keyof typeof SIZES): Html {
  const size = SIZES[name];
  const area = areaOf(size, axes);
  const [titleId, aboutId] = [`${id}-${name}-title`, `${id}-${name}-about`];
  const hasLabel = labelled(axes.words.length, size.labels);
  return html`<svg class="plot plot-${name}" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${titleId} ${aboutId}">
<title id="${titleId}">${title}</title><desc id="${aboutId}">${about}</desc>
<g class="plot-grid">${axes.scale.ticks.map(
    (tick) =>
      html`<line x1="${area.left}" x2="${area.left + area.width}" y1="${area.y(tick)}" y2="${area.y(tick)}"/><text x="${area.left - 8}" y="${area.y(tick) + 4}" text-anchor="end">${axes.tickText(tick)}</text>`,
  )}</g>
<g class="plot-words">${axes.words.map((word, at) =>
    hasLabel(at)
      ? html`<text x="${area.x(at)}" y="${size.height - 8}" text-anchor="middle">${word}</text>`
      : html``,
  )}</g>
${content(area)}</svg>`;
}
