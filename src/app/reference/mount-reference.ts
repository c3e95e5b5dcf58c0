import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import manifest from "../../../package.json" with { type: "json" };
import { openApiDocument } from "../../platform/http/openapi.ts";
import type { RouteFacts } from "../../platform/http/route-codes.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { referencePage } from "./page.ts";

const DESCRIPTION = "/openapi.json";
const PAGE = "/docs";
const STYLESHEET = "/docs/reference.css";

/** One stylesheet in parts; the later ones build on the earlier ones. */
const STYLES = ["tones", "text", "frame", "endpoint", "tables", "print"];

/** The page loads its stylesheet from here and nothing else from anywhere. */
const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For an address that names its content: a browser may keep it for good. */
const FOR_GOOD = "public, max-age=31536000, immutable";

/**
 * Serves the API's description and the page made from it. Both are made, and packed, once. They need no key: nothing
 * here is about any merchant.
 */
export function mountReference(server: HttpServer, routes: readonly RouteFacts[], baseUrl: string): void {
  const document = openApiDocument(routes, { version: manifest.version, baseUrl });
  const css = STYLES.map((name) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8")).join(
    "\n",
  );
  const print = createHash("sha256").update(css).digest("base64url").slice(0, 12);
  const page = referencePage(document, { stylesheet: `${STYLESHEET}?${print}`, description: DESCRIPTION });

  serve(server, DESCRIPTION, JSON.stringify(document), { "Content-Type": "application/json; charset=utf-8" });
  serve(server, PAGE, page, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": PAGE_CSP,
  });
  serve(server, STYLESHEET, css, { "Content-Type": "text/css; charset=utf-8" }, print);
}

function serve(
  server: HttpServer,
  path: string,
  text: string,
  headers: Readonly<Record<string, string>>,
  print?: string,
): void {
  const plain = Buffer.from(text);
  const packed = gzipSync(plain, { level: 9 });
  server.get(path, async (request, reply) => {
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers["accept-encoding"] ?? "");
    return reply
      .headers({
        ...headers,
        Vary: "Accept-Encoding",
        ...(takesGzip ? { "Content-Encoding": "gzip" } : {}),
        ...(print !== undefined && request.url.endsWith(`?${print}`) ? { "Cache-Control": FOR_GOOD } : {}),
      })
      .send(takesGzip ? packed : plain);
  });
}
