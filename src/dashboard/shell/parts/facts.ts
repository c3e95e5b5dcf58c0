import { type Html, html } from "../../../../browser/ui/html.ts";
import type { Metadata } from "../../../kernel/metadata.ts";

export type Fact = readonly [name: Html | string, value: Html | string | undefined];

/** Names and values of one record. */
export function facts(rows: readonly Fact[]): Html {
  return html`<dl class="facts">${rows.map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${value === undefined || value === "" ? "–" : value}</dd></div>`,
  )}</dl>`;
}

/** The merchant's own pairs, one line each; nothing where there are none. */
export function metadataFacts(metadata: Metadata | null): readonly Fact[] {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length === 0) return [];
  return [
    [
      "Metadata",
      html`${pairs.map(([key, value]) => html`<span class="pair"><code>${key}</code> ${value}</span>`)}`,
    ],
  ];
}

/** A part of a page with a heading. */
export function panel(heading: string, content: Html | readonly Html[], beside?: Html): Html {
  return html`<section class="panel"><header><h2>${heading}</h2>${beside}</header>${content}</section>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** A text with a copy button, which the script adds. */
export function copyable(text: string, what: string): Html {
  return html`<span class="copy"><code data-copy="${what}">${text}</code></span>`;
}
