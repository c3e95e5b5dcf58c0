import { type ApiInfo, openApiDocument } from "../../platform/http/openapi.ts";
import type { RouteFacts } from "../../platform/http/route-codes.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { referencePage } from "./page.ts";
import { PAGE_HEADERS, readStylesheet, STYLESHEET, serveText } from "./serve-text.ts";

const DESCRIPTION = "/openapi.json";
const PAGE = "/docs";

/**
 * Serves the API's description and the page made from it. Both are made once. They need no key: nothing
 * here is about any merchant.
 */
export function mountReference(server: HttpServer, routes: readonly RouteFacts[], info: ApiInfo): void {
  const document = openApiDocument(routes, info);
  const { css, print, address } = readStylesheet();
  const page = () => referencePage(document, { stylesheet: address, description: DESCRIPTION });
  const json = { "Content-Type": "application/json; charset=utf-8" };
  serveText(server, DESCRIPTION, () => JSON.stringify(document), json);
  serveText(server, PAGE, page, PAGE_HEADERS);
  serveText(server, STYLESHEET, () => css, { "Content-Type": "text/css; charset=utf-8" }, print);
}
