import type { Settings } from "../../platform/config/settings.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { PAGE_HEADERS, readStylesheet, serveText } from "../reference/serve-text.ts";
import { renderMarkdown } from "./markdown.ts";
import { guidePage, shelfPage } from "./page.ts";
import { ADDRESS, DOCS_FILES, linksFrom, readDocsFile, readShelf } from "./shelf.ts";

/**
 * Serves the guides beside the reference: made once, from the same files that the repository shows, with this gateway's own
 * addresses in their examples.
 */
export function mountGuides(server: HttpServer, settings: Pick<Settings, "baseUrl" | "hostedUrl">): void {
  const shelf = readShelf();
  const pages = shelf.flatMap((group) => group.pages);
  const served = new Set<string>([...pages.map(({ name }) => name), ...DOCS_FILES]);
  const { address } = readStylesheet();
  serveText(server, `${ADDRESS}/guides`, () => shelfPage(shelf, address), PAGE_HEADERS);
  for (const page of pages) {
    const make = () => {
      const text = page.text
        .replaceAll(/\{base_url\}|http:\/\/localhost:4000/g, settings.baseUrl)
        .replaceAll(/\{hosted_url\}|http:\/\/localhost:4001/g, settings.hostedUrl);
      return guidePage(page, renderMarkdown(text, linksFrom(page, served)), shelf, address);
    };
    serveText(server, `${ADDRESS}/${page.name}`, make, PAGE_HEADERS);
  }
  for (const name of DOCS_FILES) {
    const type = name.endsWith(".json") ? "application/json" : "text/plain";
    serveText(server, `${ADDRESS}/${name}`, () => readDocsFile(name), {
      "Content-Type": `${type}; charset=utf-8`,
    });
  }
}
