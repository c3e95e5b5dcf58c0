import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import { SettingProblem } from "../config/setting.ts";
import { SETTINGS, type Settings } from "../config/settings.ts";
import { isDatabaseAway } from "../db/errors.ts";
import type { Log } from "../log/log.ts";
import { acceptJsonOnly } from "./accept-json.ts";
import type { Admission } from "./admission.ts";
import { type Connections, watchConnections } from "./connections.ts";
import { errorAnswer } from "./error-answer.ts";
import { answerBrokenRequest, createNodeServer } from "./node-server.ts";
import { hasOneHost, requestIdOf } from "./request-headers.ts";
import type { Authenticate, KeyedCaller } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { type AnswerUnknownPath, findCaller, refuseUnknownPaths } from "./unknown-paths.ts";
import { urgencyOf } from "./urgency.ts";
import type { CountWrongKey } from "./wrong-keys/wrong-keys.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller whose API key came with this request, once known. */
    keyedCaller: KeyedCaller | undefined;
    /** The mode of the merchant that a refused request is about, where no API key says it. */
    knownMode: KeyedCaller["mode"] | undefined;
    /** Browsers reach this server over https: by its configured URL, or by the connection or proxy of this request. */
    isHttps: boolean;
  }
}

export type HttpServer = FastifyInstance;

/** Which setting has the port of a server. */
const PORTS = {
  api: "apiPort",
  hosted: "hostedPort",
  watch: "watchPort",
  dashboard: "dashboardPort",
} as const;

export type ServerName = keyof typeof PORTS;

/** Which setting has the URL at which browsers reach a server. */
const URLS = { api: "baseUrl", hosted: "hostedUrl", dashboard: "dashboardUrl" } as const;

export type ServerParts = {
  readonly name: ServerName;
  readonly settings: Settings;
  readonly log: Log;
  /** Called after every answer, for metrics. */
  readonly onAnswer: (route: string, method: string, status: number, seconds: number) => void;
  readonly isStopping: () => boolean;
  /** On a server whose callers have API keys. */
  readonly identify?: Authenticate<KeyedCaller> | undefined;
  readonly countWrongKey: CountWrongKey;
  /** For browsers. Without it they get JSON, as programs do. */
  readonly answerUnknownPath?: AnswerUnknownPath | undefined;
  /** The limit that all servers of the process share. */
  readonly admission: Admission;
};

const BODY_LIMIT = 256 * 1024;

/** A server with all the conventions that hold for every answer, whatever is mounted on it. */
export function createServer(parts: ServerParts): HttpServer {
  const { settings, log } = parts;
  const isPublicHttps = parts.name !== "watch" && settings[URLS[parts.name]].startsWith("https:");
  const isHttps = (request: FastifyRequest) => isPublicHttps || request.protocol === "https";
  let connections: Connections | undefined;
  const server = fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    // An id can be as long as a request line; one that is too long is unknown like any other.
    routerOptions: { caseSensitive: false, maxParamLength: 16_384 },
    // The router takes words in any case, but not the end of a segment that begins with an id.
    rewriteUrl: ({ url = "/" }) => url.replace(/^[^?]*\.csv(?=\?|$)/i, (path) => `${path.slice(0, -3)}csv`),
    serverFactory: (handler) => {
      connections = watchConnections(
        parts.admission.guard(handler, (request) => urgencyOf(parts.name, request), isPublicHttps),
      );
      return createNodeServer(connections.listener, settings, log);
    },
    trustProxy:
      settings.trustedProxies === undefined
        ? false
        : settings.trustedProxies.split(",").map((one) => one.trim()),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // Both come before all hooks, so they are recorded here.
    frameworkErrors: (error, request, reply) => {
      reply.raw.once("finish", () => record(request, reply));
      void findCaller(request, parts)
        .catch(() => undefined)
        .then((caller) => {
          request.keyedCaller = caller;
          answerError(error, request, reply);
        });
    },
    clientErrorHandler: (error, socket) => {
      const answered = answerBrokenRequest(error, socket, settings.baseUrl, isPublicHttps);
      if (answered !== undefined) log.info({ ...answered, server: parts.name, route: "none" }, "answered");
    },
  });

  server.addHook("preClose", async () => connections?.letGo(server.server));
  server.decorateRequest("keyedCaller", undefined);
  server.decorateRequest("knownMode", undefined);
  server.decorateRequest("isHttps", false);
  acceptJsonOnly(server);

  // Hooks of every request use callbacks instead of promises: that is cheaper.
  server.addHook("onRequest", (request, reply, done) => {
    request.isHttps = isHttps(request);
    reply.header("X-Request-Id", request.id).headers(securityHeaders(request.isHttps));
    if (parts.isStopping()) {
      reply.header("Connection", "close");
      refuse("system_unavailable");
    }
    if (!hasOneHost(request.raw)) refuse("request_http_malformed");
    // What isn't there is of no type: some clients name the type of a form for every POST without a body.
    if (request.headers["content-length"] === "0") delete request.headers["content-type"];
    done();
  });
  refuseUnknownPaths(server, parts);
  // Not earlier: the events of a body that arrives do not carry along what was entered before them.
  server.addHook("preHandler", (_, reply, done) => parts.admission.enter(reply.raw, done));

  server.addHook("onResponse", (request, reply, done) => {
    record(request, reply);
    done();
  });

  server.setErrorHandler(answerError);

  function record(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? "none";
    parts.onAnswer(route, request.method, reply.statusCode, reply.elapsedTime / 1000);
    const caller = request.keyedCaller;
    log.info(
      {
        requestId: request.id,
        server: parts.name,
        method: request.method,
        route,
        status: reply.statusCode,
        address: request.ip,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ...(caller === undefined ? {} : { merchantId: caller.merchantId, keyId: caller.keyId }),
      },
      "answered",
    );
  }

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const mode = request.keyedCaller?.mode ?? request.knownMode;
    const answer = errorAnswer(error, mode, settings.baseUrl);
    if (answer.isBug) log.error({ requestId: request.id, method: request.method, error }, "unexpected error");
    else if (answer.status === 503 && error instanceof Refusal) {
      const why = parts.isStopping() ? "the gateway is starting or stopping" : "too many requests wait";
      log.warn({ requestId: request.id }, `answered 503: ${why}`);
    } else if (answer.status === 503) {
      const why =
        error instanceof Error && !isDatabaseAway(error) ? error.message : "the database is unavailable";
      log.warn({ requestId: request.id, error }, `answered 503: ${why}`);
    }
    // An error of the framework itself comes before the hooks that set these.
    reply.header("X-Request-Id", request.id).headers(securityHeaders(isHttps(request)));
    return reply.headers(answer.headers).code(answer.status).send(answer.body);
  }

  return server;
}

/** Listens; the error for a port or an address that is not available names the setting. */
export async function listen(server: HttpServer, name: ServerName, settings: Settings): Promise<void> {
  const { host, [PORTS[name]]: port } = settings;
  try {
    await server.listen({ host, port });
  } catch (error) {
    throw listenProblem(error, SETTINGS[PORTS[name]].variable, port);
  }
}

/** Names the setting because of which a server can't listen; returns an error of another kind as it is. */
export function listenProblem(error: unknown, variable: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new SettingProblem(variable, `is ${port}, which another program listens on`, "a free port");
  if (code === "EACCES")
    return new SettingProblem(variable, `is ${port}, which needs more rights`, "a port from 1024 on");
  if (typeof code !== "string") return error;
  return new SettingProblem(SETTINGS.host.variable, "can't be listened on", SETTINGS.host.allowed);
}
