import { type Html, html } from "../../../../browser/ui/html.ts";

export type Fact = readonly [name: string, value: Html | string | undefined];

/** Names and values of one record. */
export function facts(rows: readonly Fact[]): Html {
  return html`<dl class="facts">${rows.map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${value === undefined || value === "" ? "–" : value}</dd></div>`,
  )}</dl>`;
}

/** A part of a page with a heading. */
export function panel(heading: string, content: Html | readonly Html[], beside?: Html): Html {
  return html`<section class="panel"><header><h2>${heading}</h2>${beside}</header>${content}</section>`;
}

/** Minutes in UTC, for pages of no merchant and so of no time zone. */
export function utcTime(moment: number): Html {
  const iso = new Date(moment).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** A text with a copy button, which the script adds. */
export function copyable(text: string, what: string): Html {
  return html`<span class="copy"><code data-copy="${what}">${text}</code></span>`;
}
