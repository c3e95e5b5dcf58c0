import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { CACHE_FOREVER } from "../../platform/assets/asset-table.ts";
import type { HttpServer } from "../../platform/http/server.ts";

export const STYLESHEET = "/docs/reference.css";

/** The parts of the stylesheet; later ones build on earlier ones. */
const STYLES = ["tones", "text", "frame", "endpoint", "tables", "guide", "programs", "search", "print"];

/** The pages load only their stylesheet, script, icon and search index, from this server, and search on it. */
const PAGE_CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": PAGE_CSP,
} as const;

/** The stylesheet of all docs pages; its address contains the hash of its content. */
export function readStylesheet(): { readonly css: string; readonly hash: string; readonly address: string } {
  const css = STYLES.map((name) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8")).join(
    "\n",
  );
  const hash = createHash("sha256").update(css).digest("base64url").slice(0, 12);
  return { css, hash, address: `${STYLESHEET}?${hash}` };
}

export type ServedText = {
  readonly render: () => string | Promise<string>;
  readonly headers: Readonly<Record<string, string>>;
  /** A request with this hash in its address may be cached forever. */
  readonly hash?: string;
};

/** Serves a text that is rendered and compressed once, on its first request. */
export function serveText(server: HttpServer, path: string, { render, headers, hash }: ServedText): void {
  let rendered: { readonly plain: Buffer; readonly gzip: Buffer } | undefined;
  const renderOnce = async () => {
    const plain = Buffer.from(await render());
    return { plain, gzip: gzipSync(plain, { level: 9 }) };
  };
  server.get(path, async (request, reply) => {
    rendered ??= await renderOnce();
    const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
      request.headers["accept-encoding"] ?? "",
    );
    return reply
      .headers({
        ...headers,
        Vary: "Accept-Encoding",
        ...(acceptsGzip ? { "Content-Encoding": "gzip" } : {}),
        ...(hash !== undefined && request.url.endsWith(`?${hash}`) ? { "Cache-Control": CACHE_FOREVER } : {}),
      })
      .send(acceptsGzip ? rendered.gzip : rendered.plain);
  });
}
