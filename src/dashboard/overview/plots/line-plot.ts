import { type Html, html } from "../../../../browser/ui/html.ts";
import { drawing } from "./frame.ts";
import { percentScale, place } from "./scale.ts";

export type Point = {
  readonly word: string;
  readonly tip: string;
  /** A share from 0 to 1; undefined where there was nothing to take a share of. */
  readonly share: number | undefined;
};

export type LinePlot = {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly points: readonly Point[];
};

/** Shares over time. The line has a gap where a share is undefined. */
export function linePlot({ id, title, about, points }: LinePlot): Html {
  const axes = {
    scale: percentScale(points.flatMap(({ share }) => (share === undefined ? [] : [share]))),
    tickText: (value: number) => `${value}%`,
    words: points.map(({ word }) => word),
  };
  return drawing({
    id,
    title,
    about,
    axes,
    content: ({ x, y, top, height, width }) => {
      const dots = points.map(({ share }, at) =>
        share === undefined ? undefined : { x: x(at), y: y(share * 100) },
      );
      const path = dots
        .map((dot, at) =>
          dot === undefined ? "" : `${dots[at - 1] === undefined ? "M" : "L"}${dot.x} ${dot.y}`,
        )
        .join("");
      const many = points.length > 40;
      const room = width / Math.max(1, points.length);
      return html`<path class="line" d="${path}" fill="none"/><g>${dots.map((dot, at) =>
        dot === undefined
          ? html``
          : html`<g class="plot-dot" data-tip="${points[at]?.tip}"><title>${points[at]?.tip}</title><rect class="plot-hover" x="${place(dot.x - room / 2)}" y="${top}" width="${place(room)}" height="${height}"/><circle class="dot" cx="${dot.x}" cy="${dot.y}" r="${many ? 2 : 3.5}"/></g>`,
      )}</g>`;
    },
  });
}
