import { type Html, html } from "../../../../browser/ui/html.ts";
import { place } from "./scale.ts";

export type ShareRow = {
  readonly name: string;
  /** Small, beside the name. */
  readonly note?: string;
  readonly href?: string;
  readonly count: number;
};

/** Counts as a table with a bar in each row: its part of the whole. */
export function shareBars(caption: string, what: string, rows: readonly ShareRow[]): Html {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return html`<table class="share-bars"><caption class="visually-hidden">${caption}</caption>
<thead class="visually-hidden"><tr><th scope="col">${what}</th><th scope="col">Payments</th><th scope="col">Share</th></tr></thead>
<tbody>${rows.map(
    ({ name, note, href, count }) =>
      html`<tr><th scope="row">${
        href === undefined ? html`${name}` : html`<a href="${href}">${name}</a>`
      }${note !== undefined && html` <span class="note">${note}</span>`}<svg class="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="share-rest" width="100" height="6"/><rect class="share-part" width="${place((100 * count) / total)}" height="6"/></svg></th><td class="number">${count.toLocaleString("en-AU")}</td><td class="number muted">${percentText(count / total)}</td></tr>`,
  )}</tbody></table>`;
}

/** Such as 95.4%; 100% and 0% only where they are exact. */
export function percentText(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`;
  const rounded = Math.min(99.9, Math.max(0.1, Math.round(share * 1000) / 10));
  return `${rounded.toFixed(1)}%`;
}
