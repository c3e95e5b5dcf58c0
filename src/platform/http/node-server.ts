import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Refusal } from "../../kernel/refusal.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../log/log.ts";
import { errorAnswer } from "./error-answer.ts";
import { securityHeaders } from "./security-headers.ts";
import { followTlsFiles, tlsOptions } from "./tls-files.ts";

/** Against slow clients. All of these are needed; node checks them every connectionsCheckingInterval. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} as const;

const HANDSHAKE_TIMEOUT = 10_000;
const SILENCE_TIMEOUT = 60_000;

/** The server below the framework. Node's own answers would lack our headers, so it gives none. */
export function createNodeServer(handler: RequestListener, settings: Settings, log: Log): Server {
  // We refuse a request without a Host ourselves, with our code.
  const options = { ...LIMITS, requireHostHeader: false };
  const tls = tlsOptions(settings);
  const server = tls === undefined ? createServer(options, handler) : tlsServer({ ...options, ...tls });
  // A client that never reads its answer is disconnected after this time without a byte.
  server.timeout = SILENCE_TIMEOUT;
  // Node would answer 417; an expectation that we do not know can be ignored instead.
  server.on("checkExpectation", handler);
  return server;

  function tlsServer(all: ServerOptions): Server {
    const made = createTlsServer({ ...all, handshakeTimeout: HANDSHAKE_TIMEOUT }, handler);
    followTlsFiles(made, settings, log);
    return made;
  }
}

/**
 * Answers what is not HTTP or came too slowly, in the usual shape, because it never reaches a handler. Returns the answer
 * for the log; undefined when there was none.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  baseUrl: string,
  isPublicHttps: boolean,
): { readonly requestId: string; readonly status: number } | undefined {
  // Without an error of the parser there is no client to answer: the connection broke, or TLS was never established.
  if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? "") || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const requestId = crypto.randomUUID();
  const timeout = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const { body } = errorAnswer(new Refusal([{ code: "request_http_malformed" }]), undefined, baseUrl);
  const text = JSON.stringify(body);
  const headers = Object.entries({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    "X-Request-Id": requestId,
    Connection: "close",
    ...securityHeaders(isPublicHttps || socket instanceof TLSSocket),
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${timeout ? "408 Request Timeout" : "400 Bad Request"}\r\n${head}\r\n${text}`);
  // Without this, a client that never closes its half would hold the connection for ever.
  socket.destroySoon();
  return { requestId, status: timeout ? 408 : 400 };
}
