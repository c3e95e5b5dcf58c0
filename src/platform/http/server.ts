import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../log/log.ts";
import { errorAnswer } from "./error-answer.ts";
import { hasRepeatedHost, requestIdOf } from "./request-headers.ts";
import type { KeyedCaller } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whoever holds the API key of this request, once that is known. */
    keyedCaller: KeyedCaller | undefined;
  }
}

export type HttpServer = FastifyInstance;

export type ServerParts = {
  readonly name: "api" | "hosted";
  readonly settings: Settings;
  readonly log: Log;
  /** Told of every answer, for metrics. */
  readonly onAnswer: (route: string, method: string, status: number, seconds: number) => void;
  readonly isStopping: () => boolean;
};

export const BODY_LIMIT = 256 * 1024;

/** A server with all the conventions that hold for every answer, whatever is mounted on it. */
export function createServer(parts: ServerParts): HttpServer {
  const { settings, log } = parts;
  const https = tlsOptions(settings);
  const server = fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request as Parameters<typeof requestIdOf>[0]),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { caseSensitive: false, maxParamLength: 200 },
    // Slow clients: all three are needed, and node looks at them only as often as connectionsCheckingInterval says.
    requestTimeout: 20_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    ...(https === undefined
      ? {}
      : { https: { ...https, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 } as never }),
    trustProxy:
      settings.trustedProxies === undefined
        ? false
        : settings.trustedProxies.split(",").map((one) => one.trim()),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  }) as unknown as FastifyInstance;

  server.decorateRequest("keyedCaller", undefined);
  acceptJsonOnly(server);

  server.addHook("onRequest", async (request, reply) => {
    reply.headers({ "X-Request-Id": request.id, ...securityHeaders(request.protocol === "https") });
    if (parts.isStopping()) {
      reply.header("Connection", "close");
      refuse("S10001");
    }
    if (hasRepeatedHost(request.raw)) refuse("V11015");
  });

  server.addHook("onResponse", async (request, reply) => {
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
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ...(caller === undefined ? {} : { merchantId: caller.merchantId, keyId: caller.keyId }),
      },
      "answered",
    );
  });

  server.setErrorHandler(answerError);

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const answer = errorAnswer(error, request.keyedCaller?.mode, settings.baseUrl);
    if (answer.bug) log.error({ requestId: request.id, method: request.method, error }, "unexpected error");
    else if (answer.status === 503) log.warn({ requestId: request.id, error }, "unavailable");
    // An error of the framework itself comes before the hooks that set these.
    reply.headers({ "X-Request-Id": request.id, ...securityHeaders(request.protocol === "https") });
    return reply.headers(answer.headers).code(answer.status).send(answer.body);
  }

  return server;
}

/** Listens; an address in use is said in words that name the port. */
export async function listen(server: HttpServer, host: string, port: number): Promise<Server> {
  await server.listen({ host, port });
  return server.server;
}

function tlsOptions(settings: Settings): { cert: Buffer; key: Buffer; minVersion: "TLSv1.2" } | undefined {
  if (settings.tlsCertFile === undefined || settings.tlsKeyFile === undefined) return undefined;
  return {
    cert: readFileSync(settings.tlsCertFile),
    key: readFileSync(settings.tlsKeyFile),
    minVersion: "TLSv1.2",
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** JSON and nothing else: Fastify alone would also take text/plain. */
function acceptJsonOnly(server: HttpServer): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer) => {
      if (body.length === 0) return undefined;
      try {
        return JSON.parse(utf8.decode(body)) as unknown;
      } catch {
        throw new Refusal([{ code: "V11000" }]);
      }
    },
  );
}

/** What is not HTTP, or came too slowly, never reaches a handler; it gets the same shape of answer all the same. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const timeout = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const { body } = errorAnswer(new Refusal([{ code: "V11015" }]), undefined, "");
  const text = JSON.stringify(body);
  const headers = Object.entries({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    "X-Request-Id": crypto.randomUUID(),
    Connection: "close",
    ...securityHeaders(false),
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${timeout ? "408 Request Timeout" : "400 Bad Request"}\r\n${head}\r\n${text}`);
}
