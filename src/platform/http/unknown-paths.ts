import { refuse } from "../../kernel/refusal.ts";
import type { HttpServer } from "./server.ts";

/**
 * Paths that nobody mounted: 405 where another method would do, else 404. Judged before the body is read, whatever that
 * is. Called before the routes are mounted, to see them all.
 */
export function refuseUnknownPaths(server: HttpServer): void {
  const known: { readonly methods: readonly string[]; readonly pattern: RegExp }[] = [];
  server.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), pattern: patternOf(url) });
  });
  server.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((one) => one.methods);
    if (methods.length === 0) refuse("V11011");
    reply.header("Allow", [...new Set(methods)].join(", "));
    refuse("V11012");
  });
}

/** `/tokens/:id` as a pattern of whole paths, in any case. */
function patternOf(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    if (segment.startsWith(":")) return "[^/]+";
    return segment === "*" ? ".*" : segment.replace(/[^\w-]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}$`, "i");
}
