import { type Html, html } from "../../../../../browser/ui/html.ts";
import type { MerchantVisit } from "../../page.ts";
import { field, hiddenToken, postButton } from "../../parts/form.ts";
import type { SavedFilter } from "./queries.ts";
import { LONGEST_NAME } from "./save-filter.ts";

type SavedView = {
  /** The list's path. */
  readonly path: string;
  readonly saved: readonly SavedFilter[];
  /** The filter that the list shows now, as a query; empty where it shows everything. */
  readonly current: string;
};

/** The user's filters of this list, and a form to save what it shows now. */
export function savedFilters({ formToken }: MerchantVisit, { path, saved, current }: SavedView): Html {
  const shown = saved.find(({ query }) => query === current);
  if (saved.length === 0 && current === "") return html``;
  return html`<div class="saved">${saved.length > 0 && html`<nav aria-label="Saved filters"><ul class="saved-filters">${saved.map(({ name, query }) => html`<li><a class="saved-filter" href="${path}?${query}"${query === current && html` aria-current="true"`}>${name}</a></li>`)}</ul></nav>`}
${
  current !== "" &&
  (shown === undefined
    ? html`<details class="save-filter"><summary>Save this filter</summary><form method="post" action="${path}/filters">${hiddenToken(formToken)}<input type="hidden" name="query" value="${current}">${field({ name: "name", label: "Name of the filter", required: true, maxlength: LONGEST_NAME })}<button class="button button-quiet">Save</button></form></details>`
    : postButton({
        action: `${path}/filters/delete`,
        formToken,
        button: "Delete this filter",
        what: shown.name,
        fields: { name: shown.name },
      }))
}</div>`;
}
