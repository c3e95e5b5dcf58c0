import type { FastifyReply, FastifyRequest } from "fastify";
import { sendHtml } from "../../platform/http/send-html.ts";

/** A page loads our own script and style, draws pictures inline, posts to us, and may do nothing else. */
const POLICY: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

type SendOptions = {
  readonly status?: number | undefined;
  readonly allow?: Readonly<Record<string, string>> | undefined;
};

export function sendDashboard(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  { status = 200, allow = {} }: SendOptions,
): FastifyReply {
  const policy = Object.entries({ ...POLICY, ...allow }).map(
    ([directive, sources]) => `${directive} ${sources}`,
  );
  reply.code(status).header("Content-Security-Policy", policy.join("; "));
  return sendHtml(request, reply, page);
}
