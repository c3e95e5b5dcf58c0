import type { Settings } from "../../platform/config/settings.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import type { DocsAssets } from "../frame.ts";
import { PAGE_HEADERS, serveText } from "../reference/serve-text.ts";
import {
  ADDRESS,
  DATA_FILES,
  type DocsFile,
  type Group,
  groupPages,
  linksFrom,
  readDataFile,
} from "./docs-pages.ts";
import { guidePage, indexPage } from "./page.ts";

/**
 * Serves the guides beside the reference, from the same files that the repository shows, with this gateway's own addresses
 * in the examples. Each page is rendered once, on its first request.
 */
export function mountGuides(
  server: HttpServer,
  files: readonly DocsFile[],
  settings: Pick<Settings, "baseUrl" | "hostedUrl">,
  assets: DocsAssets,
): void {
  const served = new Set<string>([...files.map(({ name }) => name), ...DATA_FILES]);
  let groups: readonly Group[] | undefined;
  const render = async (file?: DocsFile) => {
    // markdown-it takes 30 ms to load: the first reader waits for it, not the start of the gateway.
    const { renderMarkdown, summarise } = await import("./markdown.ts");
    const described = (one: DocsFile) => ({ ...one, ...summarise(one.text) });
    groups ??= groupPages(files.map(described));
    if (file === undefined) return indexPage(groups, assets);
    const text = file.text
      .replaceAll(/\{base_url\}|http:\/\/localhost:4000/g, settings.baseUrl)
      .replaceAll(/\{hosted_url\}|http:\/\/localhost:4001/g, settings.hostedUrl);
    return guidePage(
      described(file),
      renderMarkdown(text, linksFrom(file, served), settings.baseUrl),
      groups,
      assets,
    );
  };
  serveText(server, `${ADDRESS}/guides`, { render: () => render(), headers: PAGE_HEADERS });
  for (const file of files) {
    serveText(server, `${ADDRESS}/${file.name}`, { render: () => render(file), headers: PAGE_HEADERS });
  }
  for (const name of DATA_FILES) {
    const type = name.endsWith(".json") ? "application/json" : "text/plain";
    const headers = { "Content-Type": `${type}; charset=utf-8` };
    serveText(server, `${ADDRESS}/${name}`, { render: () => readDataFile(name), headers });
  }
}
