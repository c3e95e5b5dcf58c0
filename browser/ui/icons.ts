import { type Html, html } from "./html.ts";

/** Decoration beside text, hidden from screen readers. An icon of one page stands there: every script has those here. */
export const icon = (name: string, size: number, drawing: Html): Html =>
  html`<svg class="icon icon-${name}" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawing}</svg>`;

export const PADLOCK = icon(
  "padlock",
  16,
  html`<path fill="currentColor" stroke="none" d="M4.5 7h7A1.5 1.5 0 0 1 13 8.5v4a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 12.5v-4A1.5 1.5 0 0 1 4.5 7z"/><path stroke-width="1.5" d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>`,
);

export const ALERT = icon(
  "alert",
  16,
  html`<circle cx="8" cy="8" r="6.25" stroke-width="1.5"/><path stroke-width="1.6" d="M8 4.9v3.6M8 11v.05"/>`,
);

const ring = html`<circle class="ring" cx="28" cy="28" r="25"/>`;

export const CHECK_MARK = icon(
  "check",
  56,
  html`${ring}<path class="stroke" pathLength="1" d="m17.5 28.8 7.2 7.2 14.3-15.2"/>`,
);

export const CROSS = icon(
  "cross",
  56,
  html`${ring}<path class="stroke" pathLength="1" d="m20.5 20.5 15 15m0-15-15 15"/>`,
);

export const CLOCK = icon("clock", 56, html`${ring}<path class="stroke" d="M28 16.5V28l7.5 5"/>`);

export const EXCLAMATION = icon(
  "exclamation",
  56,
  html`${ring}<path class="stroke" d="M28 16v15m0 8.5v.1"/>`,
);

export const SPINNER = icon(
  "spinner",
  20,
  html`<circle class="track" cx="10" cy="10" r="8" stroke-width="2.5"/><path stroke-width="2.5" d="M10 2a8 8 0 0 1 8 8"/>`,
);
