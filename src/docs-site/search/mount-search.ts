import type { SearchEntry } from "../../../browser/ui/find-entries.ts";
import { sendHtml } from "../../platform/http/send-html.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import type { DocsAssets } from "../frame.ts";
import { PAGE_HEADERS, serveText } from "../reference/serve-text.ts";
import { resultsPage } from "./results-page.ts";

const SEARCH_INDEX = "/docs/search.json";

/** Serves the index for the search box of the pages, and the page of results for readers without scripts. */
export function mountSearch(
  server: HttpServer,
  entries: () => readonly SearchEntry[],
  assets: DocsAssets,
): void {
  serveText(server, SEARCH_INDEX, {
    render: () => JSON.stringify(entries()),
    headers: { "Content-Type": "application/json; charset=utf-8" },
  });
  server.get<{ Querystring: { q?: string | readonly string[] } }>("/docs/search", async (request, reply) => {
    const { q = "" } = request.query;
    reply.headers(PAGE_HEADERS);
    return sendHtml(
      request,
      reply,
      resultsPage(entries(), typeof q === "string" ? q.slice(0, 100) : "", assets),
    );
  });
}
