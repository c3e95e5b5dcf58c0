import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

export function sendHtml(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  reply.headers({ "Content-Type": "text/html; charset=utf-8", Vary: "Accept-Encoding" });
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) return reply.send(page);
  return reply.header("Content-Encoding", "gzip").send(gzipSync(page));
}
