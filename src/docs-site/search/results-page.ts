import { findEntries, type SearchEntry } from "../../../browser/ui/find-entries.ts";
import { type DocsAssets, docsPage, searchForm } from "../frame.ts";
import { type Html, html } from "../reference/html.ts";

/** More than a reader looks through. */
const SHOWN = 30;

/** The page at /docs/search. */
export function resultsPage(entries: readonly SearchEntry[], query: string, assets: DocsAssets): string {
  const found = findEntries(entries, query, SHOWN);
  const body = html`<h1>Search</h1>
${searchForm("search-text", query)}
${query.trim() === "" ? html`<p>Search guides, operations, settings and codes.</p>` : resultList(found)}
`;
  const title = query.trim() === "" ? "Search · Tidegate" : `${query} · Search · Tidegate`;
  const main = { id: "results", name: "guide", skip: "Skip to the results" };
  return docsPage({ title, area: "search", main, body }, assets);
}

function resultList(found: readonly SearchEntry[]): Html {
  if (found.length === 0)
    return html`<p class="results-none">No results. Try fewer words, or part of one.</p>`;
  const count =
    found.length === 1
      ? "1 result"
      : found.length === SHOWN
        ? `The best ${SHOWN} results`
        : `${found.length} results`;
  return html`<p class="quiet">${count}</p>
<ul class="index results">${found.map(
    ({ title, place, address, text }) =>
      html`<li><a href="${address}">${title}</a><span class="place">${place}</span><span>${text}</span></li>
`,
  )}</ul>
`;
}
