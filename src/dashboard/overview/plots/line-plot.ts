import { type Html, html } from "../../../../browser/ui/html.ts";
import { drawing } from "./frame.ts";

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

const PERCENT = { top: 100, ticks: [0, 25, 50, 75, 100] };

/** Shares over time. The line has a gap where a share is undefined. */
export function linePlot({ id, title, about, points }: LinePlot): Html {
  const axes = {
    scale: PERCENT,
    tickText: (value: number) => `${value}%`,
    words: points.map(({ word }) => word),
  };
  return drawing({
    id,
    title,
    about,
    axes,
    content: ({ x, y }) => {
      const dots = points.map(({ share }, at) =>
        share === undefined ? undefined : { x: x(at), y: y(share * 100) },
      );
      const path = dots
        .map((dot, at) =>
          dot === undefined ? "" : `${dots[at - 1] === undefined ? "M" : "L"}${dot.x} ${dot.y}`,
        )
        .join("");
      const many = points.length > 40;
      return html`<path class="line" d="${path}" fill="none"/><g>${dots.map((dot, at) =>
        dot === undefined
          ? html``
          : html`<g class="plot-dot"><title>${points[at]?.tip}</title><circle class="dot" cx="${dot.x}" cy="${dot.y}" r="${many ? 2 : 3.5}"/></g>`,
      )}</g>`;
    },
  });
}
