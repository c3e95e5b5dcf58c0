import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { makeCertificate } from "../../../tests/support/certificate.ts";
import type { Reach } from "./address.ts";
import { createEgress, type Egress, type Exchange } from "./egress.ts";
import { reasonOf } from "./failure.ts";

const WITHIN_MS = 400;
const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of closing.toReversed()) await close();
});

type Listening = {
  listen: (port: number, host: string, then: () => void) => unknown;
  address: () => unknown;
};

async function portOf(server: Listening & { close: () => unknown; closeAllConnections?: () => void }) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const http = (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
  portOf(createServer(handler));

/** A server that speaks no more HTTP than it is told to. */
function raw(speak: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return portOf(
    createNetServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("data", () => speak(socket));
    }),
  );
}

function egressOf(addresses: readonly string[] | (() => readonly string[])): Egress & { asked: string[] } {
  const asked: string[] = [];
  const egress = createEgress(async (host): Promise<LookupAddress[]> => {
    asked.push(host);
    const list = typeof addresses === "function" ? addresses() : addresses;
    return list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  });
  closing.push(egress.close);
  return { ...egress, asked };
}

const plain = egressOf(["127.0.0.1"]);

const post = (egress: Egress, url: string, more: { reach?: Reach; withinMs?: number; body?: string } = {}) =>
  egress.send({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    body: "{}",
    reach: "public-and-loopback",
    withinMs: WITHIN_MS,
    ...more,
  });

function assertFailed(exchange: Exchange, reason: string): void {
  assert.deepEqual([exchange.outcome, exchange.outcome === "failed" && exchange.reason], ["failed", reason]);
}

function assertAnswered(exchange: Exchange, status: number, cut: boolean) {
  assert.ok(exchange.outcome === "answered", JSON.stringify(exchange));
  assert.deepEqual([exchange.status, exchange.cut], [status, cut]);
  return exchange;
}

/** Sends a piece again and again, for ever, after a beginning. */
function drip(socket: Socket, piece: string, beginning = ""): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on("close", () => clearInterval(timer));
}

describe("contract 7: one exchange with somebody else's server", () => {
  test("method, path, headers and the exact bytes arrive; status, headers and body come back", async () => {
    const seen: unknown[] = [];
    const port = await http((request, response) => {
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
    assert.ok(answer.latencyMs >= 0 && answer.latencyMs < WITHIN_MS);
  });

  test("a connection is used again", async () => {
    const ports = new Set<number | undefined>();
    const port = await http((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    for (let count = 0; count < 5; count += 1) await post(plain, `http://127.0.0.1:${port}/`);
    assert.ok(ports.size < 3, `${ports.size} connections for 5 requests`);
  });

  test("a redirect is an answer, and nobody goes there", async () => {
    let there = 0;
    const target = await http((_request, response) => {
      there += 1;
      response.end();
    });
    const port = await http((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    assertAnswered(await post(plain, `http://127.0.0.1:${port}/`), 302, false);
    assert.equal(there, 0);
  });

  for (const size of [16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 1_000_000]) {
    test(`of an answer of ${size} bytes at most 16 KiB are read`, async () => {
      const port = await http((_request, response) => response.end("x".repeat(size)));
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
      "announces for ever",
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
      const port = await raw((socket) => {
        socket.on("close", () => {
          closed = true;
        });
        speak(socket);
      });
      const begun = performance.now();
      const exchange = await post(plain, `http://127.0.0.1:${port}/`);
      const took = performance.now() - begun;
      assert.ok(took >= WITHIN_MS - 20 && took < WITHIN_MS + 300, `${took} ms`);
      if (ends === "timeout") assertFailed(exchange, "timeout");
      else assertAnswered(exchange, 200, true);
      for (let turns = 0; !closed && turns < 100; turns += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      assert.ok(closed, "the connection stayed open");
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
      const port = await raw(speak);
      assertFailed(await post(plain, `http://127.0.0.1:${port}/`), reason);
    });
  }

  test("a server that breaks off in the middle of a 200 has still answered 200", async () => {
    const port = await raw((socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\nx`));
    assertAnswered(await post(plain, `http://127.0.0.1:${port}/`), 200, true);
  });

  test("nobody listens", async () => {
    const port = await raw(() => {});
    const gone = createNetServer();
    const free = await portOf(gone);
    await new Promise((resolve) => gone.close(resolve));
    assertFailed(await post(plain, `http://127.0.0.1:${free}/`), "connection_refused");
    assert.ok(port > 0);
  });

  test("a certificate that nobody vouches for is refused", async () => {
    const { certFile, keyFile } = await makeCertificate();
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
    const port = await portOf(createTlsServer({ cert, key }, (_request, response) => response.end()));
    assertFailed(await post(plain, `https://localhost:${port}/`), "tls_failed");
  });
});

describe("contract 7: the address that was checked is the one that is dialled", () => {
  const server = http((_request, response) => response.end("inside"));

  test("a name that points to this machine is called in the sandbox, and not in live mode", async () => {
    const port = await server;
    const egress = egressOf(["127.0.0.1"]);
    assertAnswered(await post(egress, `http://shop.example:${port}/`), 200, false);
    const live = await egress.send({
      method: "POST",
      url: "https://shop.example/",
      headers: {},
      reach: "public",
      withinMs: WITHIN_MS,
    });
    assertFailed(live, "address_refused");
    assert.deepEqual(egress.asked, ["shop.example", "shop.example"]);
  });

  test("a name that was public when it was checked and is private when it is dialled is not called", async () => {
    const port = await server;
    const answers = [["8.8.8.8"], ["10.0.0.1"], ["127.0.0.1"]];
    const egress = egressOf(() => answers.shift() ?? []);
    assert.equal(await egress.pointsInside(`http://shop.example:${port}/`, "public-and-loopback"), false);
    assertFailed(await post(egress, `http://shop.example:${port}/`), "address_refused");
    // The third look-up would have led to this machine, which is allowed here: one look-up decides, and is dialled.
    assertAnswered(await post(egress, `http://shop.example:${port}/`), 200, false);
    assert.equal(egress.asked.length, 3);
  });

  for (const addresses of [
    ["127.0.0.1", "10.0.0.1"],
    ["10.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["169.254.169.254"],
    ["0.0.0.0"],
    ["::"],
  ]) {
    test(`a name that points to ${addresses.join(" and ")} is not called`, async () => {
      const port = await server;
      const egress = egressOf(addresses);
      assertFailed(await post(egress, `http://shop.example:${port}/`), "address_refused");
      assert.equal(await egress.pointsInside(`http://shop.example:${port}/`, "public-and-loopback"), true);
    });
  }

  test("an address in the URL itself is checked too, though nothing is looked up", async () => {
    const egress = egressOf(["8.8.8.8"]);
    for (const host of ["10.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "169.254.169.254"]) {
      assertFailed(await post(egress, `http://${host}:8080/`), "address_refused");
      assert.equal(await egress.pointsInside(`http://${host}:8080/`, "public-and-loopback"), true);
    }
    const live = { method: "POST", headers: {}, reach: "public", withinMs: WITHIN_MS } as const;
    assertFailed(await egress.send({ ...live, url: "https://127.0.0.1/" }), "address_refused");
    assertFailed(await egress.send({ ...live, url: "http://shop.example/" }), "address_refused");
    assertFailed(await egress.send({ ...live, url: "https://shop.example:22/" }), "address_refused");
    assert.deepEqual(egress.asked, []);
  });

  test("a name that does not resolve is the other side's trouble; no name service at all is ours", async () => {
    for (const [code, reason, ours] of [
      ["ENOTFOUND", "name_not_found", false],
      ["EAI_AGAIN", "name_service_unavailable", true],
    ] as const) {
      const egress = createEgress(async () => {
        throw Object.assign(new Error(code), { code });
      });
      closing.push(egress.close);
      const exchange = await post(egress, "http://shop.example/");
      assertFailed(exchange, reason);
      assert.equal(exchange.outcome === "failed" && exchange.ours, ours);
      assert.equal(await egress.pointsInside("http://shop.example/", "public"), false);
    }
    assertFailed(await post(egressOf([]), "http://shop.example/"), "name_not_found");
  });

  test("of several addresses that failed, one that was reached says what was wrong", () => {
    const trouble = (code: string) => Object.assign(new Error(code), { code });
    const all = (...codes: string[]) => reasonOf(new AggregateError(codes.map(trouble)));
    assert.equal(all("ENETUNREACH", "ECONNREFUSED"), "connection_refused");
    assert.equal(all("ENETUNREACH", "ENETUNREACH"), "network_unreachable");
    assert.equal(reasonOf(trouble("CERT_HAS_EXPIRED")), "tls_failed");
    assert.equal(reasonOf("nonsense"), "connection_failed");
  });
});
