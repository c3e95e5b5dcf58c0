import type { SearchEntry } from "../../browser/ui/find-entries.ts";
import type { Asset } from "../platform/assets/asset.ts";
import type { Settings } from "../platform/config/settings.ts";
import { openApiDocument } from "../platform/http/openapi.ts";
import type { OpenApiDocument } from "../platform/http/openapi-shape.ts";
import type { RouteFacts } from "../platform/http/route-codes.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { DocsAssets } from "./frame.ts";
import { readDocsFiles } from "./guides/docs-pages.ts";
import { mountGuides } from "./guides/mount-guides.ts";
import { mountReference } from "./reference/mount-reference.ts";
import { readStylesheet, serveText } from "./reference/serve-text.ts";
import { searchEntries } from "./search/entries.ts";
import { mountSearch } from "./search/mount-search.ts";

const SCRIPT = "/docs/docs.js";

/** The addresses of what the pages load. They contain the hash of the content. */
export function docsAssets(script: Asset): DocsAssets {
  return {
    stylesheet: readStylesheet().address,
    script: { address: `${SCRIPT}?${script.hash}`, integrity: script.integrity },
  };
}

type DocsSite = {
  readonly routes: readonly RouteFacts[];
  readonly version: string;
  readonly settings: Pick<Settings, "baseUrl" | "hostedUrl">;
  readonly script: Asset;
};

/** Serves guides, reference, codes and search. None needs a key: none is about any merchant. */
export function mountDocsSite(server: HttpServer, { routes, version, settings, script }: DocsSite): void {
  // On the first request that needs it, as the pages are: it would be a third of a start's own work.
  let made: OpenApiDocument | undefined;
  const describe = () => {
    made ??= openApiDocument(routes, { version, baseUrl: settings.baseUrl });
    return made;
  };
  const assets = docsAssets(script);
  const files = readDocsFiles();
  mountReference(server, describe, assets);
  mountGuides(server, files, settings, assets);
  let entries: readonly SearchEntry[] | undefined;
  mountSearch(
    server,
    () => {
      entries ??= searchEntries(files, describe());
      return entries;
    },
    assets,
  );
  serveText(server, SCRIPT, {
    render: () => script.bytes.toString("utf8"),
    headers: { "Content-Type": script.contentType },
    hash: script.hash,
  });
}
