import { CODES_PAGE } from "../../kernel/codes/present-code.ts";
import type { OpenApiDocument } from "../../platform/http/openapi-shape.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import type { DocsAssets } from "../frame.ts";
import { codesPage } from "./codes-page.ts";
import { referencePage } from "./page.ts";
import { PAGE_HEADERS, readStylesheet, STYLESHEET, serveText } from "./serve-text.ts";

const DESCRIPTION = "/openapi.json";
const PAGE = "/docs";

/** Serves the API description, the page that is generated from it and the page of codes, each rendered once. */
export function mountReference(
  server: HttpServer,
  describe: () => OpenApiDocument,
  assets: DocsAssets,
): void {
  const { css, hash } = readStylesheet();
  const page = () => referencePage(describe(), assets, DESCRIPTION);
  const json = { "Content-Type": "application/json; charset=utf-8" };
  serveText(server, DESCRIPTION, { render: () => JSON.stringify(describe()), headers: json });
  serveText(server, PAGE, { render: page, headers: PAGE_HEADERS });
  serveText(server, CODES_PAGE, { render: () => codesPage(assets), headers: PAGE_HEADERS });
  const cssType = { "Content-Type": "text/css; charset=utf-8" };
  serveText(server, STYLESHEET, { render: () => css, headers: cssType, hash });
}
