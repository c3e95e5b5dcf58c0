import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "../../kernel/refusal.ts";
import { preferenceOf } from "./preference.ts";
import type { Authenticate, KeyedCaller } from "./route.ts";
import type { CountWrongKey } from "./wrong-keys/wrong-keys.ts";

/** Answers a browser at a path without a route, `/` included. */
export type AnswerUnknownPath = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The path does not exist for live merchants. */
    readonly isSandboxOnly?: boolean;
  }
}

type KnownPath = {
  readonly url: string;
  readonly isSandboxOnly: boolean;
  readonly methods: Set<string>;
  readonly pattern: RegExp;
  /** How many of its segments can be anything. */
  readonly open: number;
};

/**
 * Refuses paths without a route: 405 where another method would do, else 404, before the body is read. Called before the
 * routes are mounted, to see them all. No key is needed for this answer; with a key it carries the account's mode, as
 * every answer does. A browser gets a page instead, if the server has one.
 */
export function refuseUnknownPaths(server: FastifyInstance, parts: UnknownPathParts): void {
  const known = new Map<string, KnownPath>();
  /** By the path with an id in it: the paths with a fixed word in the id's place. `settings` is no webhook's id. */
  const words = new Map<string, readonly KnownPath[]>();
  server.addHook("onRoute", ({ method, url, config }) => {
    const path = known.get(url) ?? knownPath(url, config?.isSandboxOnly === true);
    for (const one of [method].flat()) path.methods.add(one);
    known.set(url, path);
  });
  server.addHook("onReady", async () => {
    for (const path of known.values()) {
      if (path.url.endsWith("*")) continue;
      const named = [...known.values()].filter((one) => one.open < path.open && path.pattern.test(one.url));
      if (named.length > 0) words.set(path.url, named);
    }
  });
  // A callback where the path is known, which is nearly always: a promise for every request costs more.
  server.addHook("onRequest", (request, reply, done) => {
    const among = request.is404 ? [...known.values()] : words.get(request.routeOptions.url ?? "");
    if (among === undefined) return done();
    refuseAmong(among, request, reply).then((isAnswered) => {
      if (!isAnswered) done();
    }, done);
  });

  /** True when a page was the answer. */
  async function refuseAmong(
    among: readonly KnownPath[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const path = request.url.split("?", 1)[0] ?? "";
    const meant = among.filter(({ pattern }) => pattern.test(path)).sort((a, b) => a.open - b.open)[0];
    if (meant === undefined && !request.is404) return false;
    request.keyedCaller = await findCaller(request, parts);
    if (meant === undefined) {
      if (parts.answerUnknownPath !== undefined) {
        reply.header("Vary", "Accept");
        if (isBrowser(request)) {
          parts.answerUnknownPath(request, reply);
          return true;
        }
      }
      refuse("path_not_found");
    }
    if (meant.isSandboxOnly && request.keyedCaller?.mode === "live") refuse("path_not_found");
    reply.header("Allow", [...meant.methods].join(", "));
    return refuse("method_not_allowed");
  }
}

export type UnknownPathParts = {
  readonly identify?: Authenticate<KeyedCaller> | undefined;
  readonly countWrongKey: CountWrongKey;
  readonly answerUnknownPath?: AnswerUnknownPath | undefined;
};

/** A request with a key is a program's, whatever it accepts. */
function isBrowser({ method, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["x-api-key"] === undefined && preferenceOf(headers.accept) === "html";
}

/** The mode in the answer shows that a key is right, so a wrong one counts here, too. */
export async function findCaller(
  request: FastifyRequest,
  { identify, countWrongKey }: UnknownPathParts,
): Promise<KeyedCaller | undefined> {
  const { headers, ip } = request;
  const key = headers["x-api-key"];
  if (identify === undefined || typeof key !== "string" || key === "" || key.length > 128) return undefined;
  // Without a database there is no caller, and the path is still unknown, as it is from another address than the key's.
  const holder = await identify(key, ip).catch(() => null);
  if (holder === undefined) await countWrongKey(ip);
  return holder?.caller;
}

function knownPath(url: string, isSandboxOnly: boolean): KnownPath {
  const open = url.split("/").filter((segment) => segment === "*" || segment.startsWith(":")).length;
  return { url, isSandboxOnly, methods: new Set(), pattern: patternOf(url), open };
}

/** `/tokens/:id` as a pattern of complete paths, in any case. */
function patternOf(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    if (segment.startsWith(":")) return "[^/]+";
    return segment === "*" ? ".*" : segment.replace(/[^\w-]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}$`, "i");
}
