import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import { createServer as createNetServer, type Socket } from "node:net";
import { describe, test } from "node:test";
import { makeCertificate } from "../../../tests/support/certificate.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { assertAnswered, assertFailed, egressOf, post, WITHIN_MS } from "../../../tests/support/exchanges.ts";
import { drip, httpServer, listenOn, rawServer } from "../../../tests/support/odd-servers.ts";

/** For servers that are too slow. */
const SHORT_MS = 1_000;

const plain = egressOf(["127.0.0.1"]);

describe("contract 7: one exchange with a server of a merchant", () => {
  test("method, path, headers and the exact bytes arrive; status, headers and body come back", async () => {
    const seen: unknown[] = [];
    const port = await httpServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        seen.push([request.method, request.url, request.headers["content-type"], request.headers.host, body]);
        response.writeHead(201, { "Retry-After": "7" }).end("thanks");
      });
    });
    const answer = assertAnswered(
      await post(plain, `http://127.0.0.1:${port}/a%20b?c=d#e`, { body: '{"ü":1}' }),
      201,
      false,
    );
    assert.deepEqual(seen, [["POST", "/a%20b?c=d", "application/json", `127.0.0.1:${port}`, '{"ü":1}']]);
    assert.equal(answer.headers["retry-after"], "7");
    assert.equal(Buffer.from(answer.body).toString(), "thanks");
    assert.ok(answer.latencyMs >= 0 && answer.latencyMs <= WITHIN_MS);
  });

  test("a connection is used again", async () => {
    const ports = new Set<number | undefined>();
    const port = await httpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    for (let count = 0; count < 5; count += 1) await post(plain, `http://127.0.0.1:${port}/`);
    assert.ok(ports.size < 3, `${ports.size} connections for 5 requests`);
  });

  test("a redirect is an answer and is not followed", async () => {
    let there = 0;
    const target = await httpServer((_request, response) => {
      there += 1;
      response.end();
    });
    const port = await httpServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    assertAnswered(await post(plain, `http://127.0.0.1:${port}/`), 302, false);
    assert.equal(there, 0);
  });

  for (const size of [16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 1_000_000]) {
    test(`of an answer of ${size} bytes at most 16 KiB are read`, async () => {
      const port = await httpServer((_request, response) => response.end("x".repeat(size)));
      const answer = assertAnswered(await post(plain, `http://127.0.0.1:${port}/`), 200, size > 16 * 1024);
      assert.equal(answer.body.length, Math.min(size, 16 * 1024));
    });
  }

  const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
  const slow: readonly (readonly [string, (socket: Socket) => void, "timeout" | "cut"])[] = [
    ["says nothing", () => {}, "timeout"],
    ["drips headers", (socket) => drip(socket, "X-More: 1\r\n", HEAD), "timeout"],
    ["drips the status line", (socket) => drip(socket, "K", "HTTP/1.1 200 O"), "timeout"],
    [
      "sends 1xx for ever",
      (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"),
      "timeout",
    ],
    ["drips its body", (socket) => drip(socket, "x", `${HEAD}Content-Length: 9999\r\n\r\n`), "cut"],
    ["never ends its body", (socket) => void socket.write(`${HEAD}Content-Length: 9\r\n\r\nx`), "cut"],
    [
      "never ends its chunks",
      (socket) => drip(socket, "1\r\nx\r\n", `${HEAD}Transfer-Encoding: chunked\r\n\r\n`),
      "cut",
    ],
  ];
  for (const [how, speak, ends] of slow) {
    test(`a server that ${how} is left at the deadline`, async () => {
      let closed = false;
      const port = await rawServer((socket) => {
        socket.on("close", () => {
          closed = true;
        });
        speak(socket);
      });
      const begun = performance.now();
      const exchange = await post(plain, `http://127.0.0.1:${port}/`, { withinMs: SHORT_MS });
      const took = performance.now() - begun;
      assert.ok(took >= SHORT_MS - 20 && took < SHORT_MS + 20_000, `${took} ms`);
      if (ends === "timeout") assertFailed(exchange, "timeout");
      else assertAnswered(exchange, 200, true);
      await eventually("the connection is closed", async () => closed);
    });
  }

  const broken: readonly (readonly [string, (socket: Socket) => void, string])[] = [
    ["resets", (socket) => socket.resetAndDestroy(), "connection_reset"],
    ["closes", (socket) => socket.end(), "connection_reset"],
    ["speaks no HTTP", (socket) => socket.end("220 mail.example ESMTP\r\n"), "answer_malformed"],
    [
      "has headers without end",
      (socket) => drip(socket, `${HEAD}X: ${"y".repeat(9_000)}\r\n`),
      "answer_malformed",
    ],
  ];
  for (const [how, speak, reason] of broken) {
    test(`a server that ${how} has failed`, async () => {
      const port = await rawServer(speak);
      assertFailed(await post(plain, `http://127.0.0.1:${port}/`), reason);
    });
  }

  test("a server that breaks off in the middle of a 200 has still answered 200", async () => {
    const port = await rawServer((socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\nx`));
    assertAnswered(await post(plain, `http://127.0.0.1:${port}/`), 200, true);
  });

  test("no server listens", async () => {
    const port = await rawServer(() => {});
    const gone = createNetServer();
    const free = await listenOn(gone);
    await new Promise((resolve) => gone.close(resolve));
    assertFailed(await post(plain, `http://127.0.0.1:${free}/`), "connection_refused");
    assert.ok(port > 0);
  });

  test("a certificate without a trusted issuer is refused", async () => {
    const { certFile, keyFile } = await makeCertificate();
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
    const port = await listenOn(createTlsServer({ cert, key }, (_request, response) => response.end()));
    assertFailed(await post(plain, `https://localhost:${port}/`), "tls_failed");
  });
});
