import { CODES_PAGE } from "../../kernel/codes/present-code.ts";
import { type ApiInfo, openApiDocument } from "../../platform/http/openapi.ts";
import type { RouteFacts } from "../../platform/http/route-codes.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { codesPage } from "./codes-page.ts";
import { referencePage } from "./page.ts";
import { PAGE_HEADERS, readStylesheet, STYLESHEET, serveText } from "./serve-text.ts";

const DESCRIPTION = "/openapi.json";
const PAGE = "/docs";

/**
 * Serves the API description, the page that is generated from it and the page of codes, each rendered once. They need no
 * key: none is about any merchant.
 */
export function mountReference(server: HttpServer, routes: readonly RouteFacts[], info: ApiInfo): void {
  const document = openApiDocument(routes, info);
  const { css, hash, address } = readStylesheet();
  const page = () => referencePage(document, { stylesheet: address, description: DESCRIPTION });
  const json = { "Content-Type": "application/json; charset=utf-8" };
  serveText(server, DESCRIPTION, { render: () => JSON.stringify(document), headers: json });
  serveText(server, PAGE, { render: page, headers: PAGE_HEADERS });
  serveText(server, CODES_PAGE, { render: () => codesPage(address), headers: PAGE_HEADERS });
  const cssType = { "Content-Type": "text/css; charset=utf-8" };
  serveText(server, STYLESHEET, { render: () => css, headers: cssType, hash });
}
