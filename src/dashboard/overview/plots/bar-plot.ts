import { type Html, html } from "../../../../browser/ui/html.ts";
import { drawing } from "./frame.ts";
import { place, scaleTo } from "./scale.ts";

export type Bar = {
  readonly word: string;
  /** The tooltip of the bar. */
  readonly tip: string;
  readonly value: number;
  /** A second, thinner bar beside the first; none for zero. */
  readonly beside: number;
};

export type BarPlot = {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly bars: readonly Bar[];
  readonly tickText: (value: number) => string;
  /** The smallest distance between two grid lines. */
  readonly least: number;
};

export function barPlot({ id, title, about, bars, tickText, least }: BarPlot): Html {
  const largest = Math.max(0, ...bars.map(({ value, beside }) => Math.max(value, beside)));
  const axes = { scale: scaleTo(largest, least), tickText, words: bars.map(({ word }) => word) };
  return drawing({
    id,
    title,
    about,
    axes,
    content: ({ x, y, top, height, width }) => {
      const room = width / bars.length;
      const [thick, thin] = [place(Math.min(room * 0.56, 44)), place(Math.min(room * 0.2, 14))];
      const rect = (kind: string, left: number, wide: number, value: number) => {
        if (value <= 0) return html``;
        // Even the smallest amount is visible.
        const high = Math.max(1.5, place(top + height - y(value)));
        return html`<rect class="${kind}" x="${place(left)}" y="${place(top + height - high)}" width="${wide}" height="${high}" rx="${Math.min(3, wide / 3)}"/>`;
      };
      return html`<g>${bars.map(({ tip, value, beside }, at) => {
        const left = x(at) - (thick + (beside > 0 ? thin + 1 : 0)) / 2;
        return html`<g class="plot-bar" data-tip="${tip}"><title>${tip}</title><rect class="plot-hover" x="${place(x(at) - room / 2)}" y="${top}" width="${place(room)}" height="${height}"/>${rect("bar-main", left, thick, value)}${rect("bar-beside", left + thick + 1, thin, beside)}</g>`;
      })}</g>`;
    },
  });
}
