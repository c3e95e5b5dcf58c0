import type { FastifyRequest } from "fastify";
import { refuse } from "../../kernel/refusal.ts";
import type { KeyedCaller } from "./route.ts";
import type { HttpServer } from "./server.ts";

/** Who holds an API key; undefined when nobody does. */
export type Identify = (apiKey: string) => Promise<KeyedCaller | undefined>;

/**
 * Paths that nobody mounted: 405 where another method would do, else 404. Judged before the body is read, whatever that
 * is. Called before the routes are mounted, to see them all. Nobody needs a key to hear of it; whoever has one finds the
 * account's mode in the answer, as in every other.
 */
export function refuseUnknownPaths(server: HttpServer, identify: Identify | undefined): void {
  const known: { readonly methods: readonly string[]; readonly pattern: RegExp }[] = [];
  server.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), pattern: patternOf(url) });
  });
  server.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    request.keyedCaller = await callerOf(request, identify);
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((one) => one.methods);
    if (methods.length === 0) refuse("V11011");
    reply.header("Allow", [...new Set(methods)].join(", "));
    refuse("V11012");
  });
}

async function callerOf(
  { headers }: FastifyRequest,
  identify: Identify | undefined,
): Promise<KeyedCaller | undefined> {
  const key = headers["x-api-key"];
  if (typeof key !== "string" || key === "" || key.length > 128) return undefined;
  // Without a database nobody is known, and the path is still unknown.
  return identify?.(key).catch(() => undefined);
}

/** `/tokens/:id` as a pattern of whole paths, in any case. */
function patternOf(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    if (segment.startsWith(":")) return "[^/]+";
    return segment === "*" ? ".*" : segment.replace(/[^\w-]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}$`, "i");
}
