import type { FastifyReply, FastifyRequest } from "fastify";
import { CHALLENGE_LIFE } from "../features/checkout/index.ts";
import { SECOND } from "../kernel/time.ts";

/** Of a challenge in the full window, or what the payer entered. */
type Sealed = "challenge" | "entries";

/**
 * The payer's browser stores the sealed data and the gateway stores nothing. The cookie goes to this page only, scripts
 * can't read it, and only the gateway can open it.
 */
export function storeSealed(
  request: FastifyRequest,
  reply: FastifyReply,
  what: Sealed,
  sealed: string,
): void {
  setCookie(request, reply, `${nameOf(what)}=${sealed}`, CHALLENGE_LIFE / SECOND);
}

export function clearSealed(request: FastifyRequest, reply: FastifyReply, what: Sealed): void {
  setCookie(request, reply, `${nameOf(what)}=`, 0);
}

export function readSealed(request: FastifyRequest, what: Sealed): string {
  const pairs = (request.headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  return pairs.find(([name]) => name === nameOf(what))?.[1] ?? "";
}

const nameOf = (what: Sealed) => `tidegate_${what}`;

function setCookie(request: FastifyRequest, reply: FastifyReply, pair: string, seconds: number): void {
  const { pageKey } = request.params as { pageKey: string };
  const secure = request.isHttps ? "; Secure" : "";
  void reply.header(
    "Set-Cookie",
    `${pair}; Path=/pay/${encodeURIComponent(pageKey)}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
