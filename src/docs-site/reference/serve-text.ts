import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { HttpServer } from "../../platform/http/server.ts";

export const STYLESHEET = "/docs/reference.css";

/** One stylesheet in parts; the later ones build on the earlier ones. */
const STYLES = ["tones", "text", "frame", "endpoint", "tables", "guide", "print"];

/** The pages load their stylesheet from here and nothing else from anywhere. */
const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": PAGE_CSP,
} as const;

/** For an address that names its content: a browser may keep it for good. */
const FOR_GOOD = "public, max-age=31536000, immutable";

/** The stylesheet of all pages of the docs; its address names its content. */
export function readStylesheet(): { readonly css: string; readonly print: string; readonly address: string } {
  const css = STYLES.map((name) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8")).join(
    "\n",
  );
  const print = createHash("sha256").update(css).digest("base64url").slice(0, 12);
  return { css, print, address: `${STYLESHEET}?${print}` };
}

/** Serves a text that is made and compressed once, on its first request. */
export function serveText(
  server: HttpServer,
  path: string,
  make: () => string | Promise<string>,
  headers: Readonly<Record<string, string>>,
  print?: string,
): void {
  let made: { readonly plain: Buffer; readonly packed: Buffer } | undefined;
  const text = async () => {
    const plain = Buffer.from(await make());
    return { plain, packed: gzipSync(plain, { level: 9 }) };
  };
  server.get(path, async (request, reply) => {
    made ??= await text();
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers["accept-encoding"] ?? "");
    return reply
      .headers({
        ...headers,
        Vary: "Accept-Encoding",
        ...(takesGzip ? { "Content-Encoding": "gzip" } : {}),
        ...(print !== undefined && request.url.endsWith(`?${print}`) ? { "Cache-Control": FOR_GOOD } : {}),
      })
      .send(takesGzip ? made.packed : made.plain);
  });
}
