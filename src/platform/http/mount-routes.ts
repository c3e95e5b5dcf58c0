import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { actingAs } from "../audit/actor.ts";
import type { Context } from "../context.ts";
import { findRepeat } from "../idempotency/claim-key.ts";
import { compileProblems } from "./find-problems.ts";
import { withMetadata } from "./metadata.ts";
import { encodingProblems } from "./query-encoding.ts";
import { compileQueryNames } from "./query-names.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { idempotencyKeyOf, type KeyHeader } from "./request-headers.ts";
import {
  type Authenticate,
  compilePathIds,
  type KeyedCaller,
  type RequestFacts,
  type Route,
} from "./route.ts";
import type { HttpServer } from "./server.ts";
import { isStreamed, streamText } from "./stream-text.ts";
import type { CountWrongKey } from "./wrong-keys/wrong-keys.ts";

/** Reading changes nothing, so nothing of it can be repeated. */
const NO_KEY: KeyHeader = { problems: [] };

export type MountParts<Caller> = {
  readonly ctx: Context;
  readonly authenticate: Authenticate<Caller>;
  readonly countWrongKey: CountWrongKey;
  /** Undefined: no limit. */
  readonly rateLimiter: RateLimiter | undefined;
};

/**
 * Mounts routes for holders of an API key. Every request walks the same way: path, key, origin, scope, rate, body,
 * schema, rules, verb.
 */
export function mountRoutes<Caller extends KeyedCaller>(
  server: HttpServer,
  routes: readonly Route<Caller>[],
  parts: MountParts<Caller>,
): void {
  for (const route of routes) mountRoute(server, route, parts);
}

function mountRoute<Caller extends KeyedCaller>(
  server: HttpServer,
  route: Route<Caller>,
  parts: MountParts<Caller>,
) {
  const findProblems = compileProblems(route);
  const idsIn = compilePathIds(route.path);
  const spelled = compileQueryNames(route.query);
  const takesBody = route.method !== "GET";
  const bodyOptional = route.bodyOptional === true || route.body === undefined;
  const { ctx } = parts;

  server.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ":$1"),
    config: { isSandboxOnly: route.sandboxOnly === true },
    onRequest: async (request, reply) => {
      const caller = await callerOf(request, parts);
      refuseBrowserPages(request, ctx.settings.baseUrl);
      if (route.sandboxOnly === true && caller.mode !== "sandbox") refuse("path_not_found");
      if (!caller.scopes.includes(route.scope)) refuse("api_key_scope_missing");
      limitRate(caller.keyId, parts.rateLimiter, reply);
    },
    handler: async (request, reply) => {
      const { key, problems } = takesBody ? idempotencyKeyOf(request.headers) : NO_KEY;
      const facts: RequestFacts = { requestId: request.id, idempotencyKey: key };
      const caller = { ...(request.keyedCaller as Caller), ...facts };
      const noBody = !takesBody || (bodyOptional && request.body === undefined);
      const sent = noBody ? {} : request.body;
      const query = withMetadata(spelled(request.query as Readonly<Record<string, unknown>>));
      const params = idsIn(request.params as Record<string, string>);
      const outside = [...problems, ...encodingProblems(request.url)];
      refuseAll(await findProblems(ctx, caller, { body: sent, query, params, outside }));
      const run = async () =>
        route.run(ctx, { caller, body: sent, query, params: params ?? refuse("resource_not_found") });
      const by = { actor: caller.keyId, address: request.ip };
      const answer = await actingAs(by, run).catch(async (error: unknown) => {
        throw (await findRepeat(ctx.db, caller, error)) ?? error;
      });
      const { answers } = route;
      reply.header("Content-Type", `${answers ?? "application/json"}; charset=utf-8`);
      if (answers === undefined) return reply.send(JSON.stringify(answer));
      if (answers === "text/csv") {
        const name = fileName(route.path, request.params as Record<string, string>);
        reply.header("Content-Disposition", `attachment; filename="${name}"`);
      }
      return reply.send(isStreamed(answer) ? streamText(answer) : answer);
    },
  });
}

/** `/payouts/po_1.csv` is saved as `po_1.csv`, `/payouts/po_1/lines` as `po_1-lines.csv`. */
function fileName(path: string, params: Readonly<Record<string, string>>): string {
  const segments = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "").split("/");
  const last = segments.at(-1) ?? "";
  return last.endsWith(".csv") ? last : `${segments.slice(-2).join("-")}.csv`;
}

async function callerOf<Caller extends KeyedCaller>(
  request: FastifyRequest,
  parts: MountParts<Caller>,
): Promise<Caller> {
  const key = request.headers["x-api-key"];
  if (key === undefined || key === "") refuse("header_api_key_missing");
  const holder =
    typeof key === "string" && key.length <= 128 ? await parts.authenticate(key, request.ip) : undefined;
  if (holder === undefined) {
    await parts.countWrongKey(request.ip);
    return refuse("header_api_key_invalid");
  }
  // The log and the answer of a refused request name the key and its mode, too.
  request.keyedCaller = holder.caller;
  return holder.worksFromHere ? holder.caller : refuse("api_key_address_refused");
}

/** API keys have no place in a browser. Our own pages on the API's origin are the one exception. */
function refuseBrowserPages(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== baseUrl) refuse("header_origin_refused");
}

function limitRate(keyId: string, limiter: RateLimiter | undefined, reply: FastifyReply): void {
  if (limiter === undefined) return;
  const { isAllowed, remaining, reset } = limiter.take(keyId);
  reply.headers({
    "RateLimit-Limit": limiter.perSecond,
    // A full burst is more than the limit of a second.
    "RateLimit-Remaining": Math.min(remaining, limiter.perSecond),
    "RateLimit-Reset": reset,
  });
  if (isAllowed) return;
  reply.header("Retry-After", reset);
  refuse("rate_limit_exceeded");
}
