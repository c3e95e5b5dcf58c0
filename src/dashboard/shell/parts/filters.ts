import { type Html, html } from "../../../../browser/ui/html.ts";

/** The form above a list. It asks, so it is a GET: what was asked for is in the address. */
export function filters(action: string, fields: readonly Html[], clear?: string): Html {
  return html`<form class="filters" method="get" action="${action}" role="search">${fields}<p class="buttons"><button class="button button-quiet">Filter</button>${clear !== undefined && html`<a href="${clear}">Clear</a>`}</p></form>`;
}
