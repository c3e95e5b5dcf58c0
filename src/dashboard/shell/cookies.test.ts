import assert from "node:assert/strict";
import { test } from "node:test";
import { fastify } from "fastify";
import { createCookies } from "./cookies.ts";

async function cookieAt(dashboardUrl: string): Promise<string> {
  const cookies = createCookies({ dashboardUrl });
  const server = fastify();
  server.get("/", async (request, reply) => reply.send(cookies.visitor(request, reply)));
  const { headers } = await server.inject("/");
  return String(headers["set-cookie"]);
}

test("over https the cookie is pinned to the host and never sent in clear; over http it can't be", async () => {
  const rest = /=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/;
  const safe = await cookieAt("https://pay.example");
  assert.match(safe, /^__Host-tidegate_session=/);
  assert.match(safe, /; Secure$/);
  assert.match(safe, rest);
  const plain = await cookieAt("http://localhost:4000");
  assert.match(plain, /^tidegate_session=/);
  assert.doesNotMatch(plain, /Secure|Domain/);
  assert.match(plain, rest);
});
