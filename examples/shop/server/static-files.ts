import { readFileSync } from "node:fs";
import type { Answer } from "./answer.ts";

const FILES: Readonly<Record<string, string>> = {
  "/shop.css": "text/css; charset=utf-8",
  "/pay.js": "text/javascript; charset=utf-8",
  "/watch-order.js": "text/javascript; charset=utf-8",
  "/logo.svg": "image/svg+xml",
};

export function staticFile(path: string): Answer | undefined {
  const type = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (type === undefined) return undefined;
  const body = readFileSync(new URL(`../static${path}`, import.meta.url));
  return { status: 200, headers: { "content-type": type, "cache-control": "no-cache" }, body };
}
