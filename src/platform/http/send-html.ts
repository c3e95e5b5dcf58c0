import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

export function sendHtml(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const vary = [reply.getHeader("Vary"), "Accept-Encoding"].flatMap((one) => one ?? []).join(", ");
  reply.headers({ "Content-Type": "text/html; charset=utf-8", Vary: vary });
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) return reply.send(page);
  return reply.header("Content-Encoding", "gzip").send(gzipSync(page));
}
