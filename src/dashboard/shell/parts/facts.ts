import { type Html, html } from "../../../../browser/ui/html.ts";

/** What is known of one thing: names and values. */
export function facts(rows: readonly (readonly [string, Html | string | undefined])[]): Html {
  return html`<dl class="facts">${rows.map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${value === undefined || value === "" ? "–" : value}</dd></div>`,
  )}</dl>`;
}

/** A part of a page under its own heading. */
export function panel(heading: string, content: Html | readonly Html[], beside?: Html): Html {
  return html`<section class="panel"><header><h2>${heading}</h2>${beside}</header>${content}</section>`;
}

/** A moment, in the zone that is named beside it; scripts may say it in the reader's own. */
export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** A text to be copied; the button appears where scripts run. */
export function copyable(text: string, what: string): Html {
  return html`<span class="copy"><code data-copy="${what}">${text}</code></span>`;
}
