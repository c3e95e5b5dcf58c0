import type { FastifyReply, FastifyRequest } from "fastify";
import { CHALLENGE_LIFE } from "../features/checkout/index.ts";
import { SECOND } from "../kernel/time.ts";

const NAME = "tidegate_challenge";

/**
 * During a challenge in the full window, the payer's browser stores the sealed data and the gateway stores nothing. The
 * cookie goes to this page only, scripts can't read it, and only the gateway can open it.
 */
export function storeSealed(request: FastifyRequest, reply: FastifyReply, sealed: string): void {
  setCookie(request, reply, sealed, CHALLENGE_LIFE / SECOND);
}

export function clearSealed(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, "", 0);
}

export function readSealed(request: FastifyRequest): string {
  const pairs = (request.headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  return pairs.find(([name]) => name === NAME)?.[1] ?? "";
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const { pageKey } = request.params as { pageKey: string };
  const secure = request.isHttps ? "; Secure" : "";
  void reply.header(
    "Set-Cookie",
    `${NAME}=${value}; Path=/pay/${encodeURIComponent(pageKey)}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
