import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { assertSecure } from "../../support/answers.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { exchange, openSocket, type RawAnswer, readAnswers, readToEnd } from "../../support/raw-http.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

// Raw bytes on a socket that no well-behaved client sends.

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const countRequests = async () => (await gateway.database.rows("select 1 from payment_requests")).length;
const BODY = JSON.stringify(CHECKOUT);
const KEY = `X-Api-Key: ${TEST_KEY}\r\n`;
const JSON_TYPE = "Content-Type: application/json\r\n";
const CLOSE = "Connection: close\r\n";

function assertMalformed(answer: RawAnswer | undefined, status = 400): void {
  assert.equal(answer?.status, status);
  assertSecure((name) => answer.headers.get(name));
  assert.match(answer.headers.get("x-request-id") ?? "", /^[\x21-\x7e]{1,64}$/);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.deepEqual(JSON.parse(answer.body), {
    result: {
      status: "validation_error",
      codes: [shownCode("V11015 request_http_malformed", gateway.baseUrl)],
    },
  });
}

describe("contract 2: malformed HTTP gets the standard error response, and the connection closes", () => {
  const SHAPES: Readonly<Record<string, string>> = {
    "plain text": "hello there\r\n\r\n",
    "an unknown method": "BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n",
    "HTTP 0.9": "GET /\r\n\r\n",
    "a version that does not exist": "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "HTTP 2 without negotiation": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "the beginning of TLS": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    "a space in the path": "GET /pay ment HTTP/1.1\r\nHost: x\r\n\r\n",
    "a header without a name": "GET / HTTP/1.1\r\nHost: x\r\n: value\r\n\r\n",
    "a space before the colon": "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "a header over two lines": "GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\r\n b\r\n\r\n",
    "a NUL in a header": "GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\u0000b\r\n\r\n",
    "a bare carriage return in a header": "GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\rb\r\n\r\n",
    "an oversized header": `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
    "too many headers": `GET / HTTP/1.1\r\nHost: x\r\n${"a: b\r\n".repeat(4_000)}\r\n`,
    "an oversized path": `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  };
  for (const [what, bytes] of Object.entries(SHAPES)) {
    test(what, async () => {
      const answers = await exchange(gateway.baseUrl, Buffer.from(bytes, "latin1"));
      assert.equal(answers.length, 1);
      assertMalformed(answers[0]);
      assert.equal(answers[0]?.headers.get("connection"), "close");
      const [hosted] = await exchange(gateway.hostedUrl, Buffer.from(bytes, "latin1"));
      assertMalformed(hosted);
    });
  }

  test("closes a refused connection even if the client keeps its half open", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.resume();
    const ended = once(socket, "end");
    socket.write("nonsense\r\n\r\n");
    await ended;
    await eventually("writing to the socket fails", async () => {
      if (!socket.destroyed) socket.write("x".repeat(1_000));
      return socket.destroyed;
    });
  });
});

describe("contract 2: one Host", () => {
  const get = (hosts: string, version = "1.1") =>
    exchange(gateway.baseUrl, `GET /healthz HTTP/${version}\r\n${hosts}${CLOSE}\r\n`);

  test("accepts one Host, whatever its value", async () => {
    for (const host of ["x", "localhost:4000", "[::1]", ""]) {
      assert.equal((await get(`Host: ${host}\r\n`))[0]?.status, 200, host);
    }
  });
  test("refuses two Hosts, equal or not", async () => {
    assertMalformed((await get("Host: a\r\nHost: b\r\n"))[0]);
    assertMalformed((await get("Host: a\r\nhost: a\r\n"))[0]);
  });
  test("refuses a missing Host except in HTTP 1.0", async () => {
    assertMalformed((await get(""))[0]);
    assert.equal((await get("", "1.0"))[0]?.status, 200);
  });
});

describe("contract 2: request smuggling", () => {
  const HIDDEN = `POST /paymentrequests HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
  const head = (lines: string) =>
    `POST /paymentrequests HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}${lines}\r\n`;
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  const SHAPES: Readonly<Record<string, string>> = {
    "Content-Length and Transfer-Encoding": `${head(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n${HIDDEN}`,
    "Transfer-Encoding and Content-Length": `${head(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n`)}0\r\n\r\n${HIDDEN}`,
    "two lengths": `${head(`Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`)}${HIDDEN}`,
    "two lengths in one line": `${head(`Content-Length: 0, ${HIDDEN.length}\r\n`)}${HIDDEN}`,
    "a length with a sign": `${head("Content-Length: +0\r\n")}${HIDDEN}`,
    "a negative length": `${head("Content-Length: -1\r\n")}${HIDDEN}`,
    "a hexadecimal length": `${head("Content-Length: 0x0\r\n")}${HIDDEN}`,
    "a length that overflows": `${head("Content-Length: 18446744073709551616\r\n")}${HIDDEN}`,
    "an unknown transfer encoding": `${head("Transfer-Encoding: xchunked\r\n")}${HIDDEN}`,
    "chunked, but not last": `${head("Transfer-Encoding: chunked, identity\r\n")}0\r\n\r\n${HIDDEN}`,
    "chunked twice": `${head("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")}0\r\n\r\n${HIDDEN}`,
    "a transfer encoding after a vertical tab": `${head("Transfer-Encoding: \u000bchunked\r\n")}0\r\n\r\n${HIDDEN}`,
    "a chunk without its line end": `${head("Transfer-Encoding: chunked\r\n")}2\r\n{}0\r\n\r\n${HIDDEN}`,
    "a chunk size with a sign": `${head("Transfer-Encoding: chunked\r\n")}+2\r\n{}\r\n0\r\n\r\n${HIDDEN}`,
    "a chunk size that overflows": `${head("Transfer-Encoding: chunked\r\n")}fffffffffffffffff\r\n{}\r\n0\r\n\r\n${HIDDEN}`,
    "line ends without carriage return": head("").replaceAll("\r\n", "\n") + HIDDEN,
  };
  for (const [what, bytes] of Object.entries(SHAPES)) {
    test(`${what}: neither request is executed`, async () => {
      const before = await countRequests();
      const socket = await openSocket(gateway.baseUrl);
      const text = readToEnd(socket);
      socket.write(bytes);
      const answers = readAnswers(await text);
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [400],
      );
      assertSecure((name) => answers[0]?.headers.get(name));
      assert.equal(await countRequests(), before);
    });
  }

  test("two pipelined requests are both answered in order", async () => {
    const first = `${head(`X-Request-Id: one\r\nTransfer-Encoding: chunked\r\n`)}${chunk(BODY.slice(0, 10))}${chunk(BODY.slice(10))}0\r\n\r\n`;
    const second = `${head(`X-Request-Id: two\r\nContent-Length: ${BODY.length}\r\n${CLOSE}`)}${BODY}`;
    const answers = await exchange(gateway.baseUrl, first + second);
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.headers.get("x-request-id")]),
      [
        [200, "one"],
        [200, "two"],
      ],
    );
  });

  test("a refused body closes the connection, so that the rest is never read as a request", async () => {
    const before = await countRequests();
    const large = `${head(`Content-Length: ${300_000}\r\n`)}${HIDDEN}`;
    const answers = await exchange(gateway.baseUrl, large);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [413],
    );
    assert.equal(await countRequests(), before);
  });
});

describe("contract 2: optional HTTP features", () => {
  const healthz = (lines: string) =>
    exchange(gateway.baseUrl, `GET /healthz HTTP/1.1\r\nHost: x\r\n${lines}\r\n`);

  test("ignores an unknown Expect header", async () => {
    const [answer] = await healthz(`${CLOSE}Expect: the-unexpected\r\n`);
    assert.equal(answer?.status, 200);
    assertSecure((name) => answer.headers.get(name));
  });

  test("sends 100 Continue to a client that waits for it", async () => {
    const head = `POST /paymentrequests HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}${CLOSE}Expect: 100-continue\r\n`;
    const answers = await exchange(gateway.baseUrl, `${head}Content-Length: ${BODY.length}\r\n\r\n${BODY}`);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [100, 200],
    );
  });

  for (const protocol of ["websocket", "h2c", "TLS/1.0"]) {
    test(`ignores an upgrade to ${protocol} and answers the request`, async () => {
      const [answer] = await healthz(
        `Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAAA\r\n`,
      );
      assert.equal(answer?.status, 200);
    });
  }

  for (const line of [
    "OPTIONS *",
    "GET http://evil.example/paymentrequests",
    "GET //evil.example/paymentrequests",
    "GET ?",
    "GET /../paymentrequests",
    "GET /#fragment",
    "TRACE /paymentrequests",
    "TRACE /healthz",
  ]) {
    test(`an unusual request target is never a 5xx: ${line}`, async () => {
      const [answer] = await exchange(gateway.baseUrl, `${line} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`);
      assert.ok([400, 401, 404, 405].includes(answer?.status ?? 0), String(answer?.status));
      assertSecure((name) => answer?.headers.get(name));
      assert.equal(JSON.parse(answer?.body ?? "").result.status, "validation_error");
    });
  }

  test("refuses to open a tunnel", async () => {
    const socket = await openSocket(gateway.baseUrl);
    const text = readToEnd(socket);
    socket.write("CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n");
    assert.doesNotMatch(await text, /^HTTP\/1.1 2/);
  });

  test("raw bytes in a path are never a 5xx", async () => {
    const line = Buffer.from("GET /paymentrequests/\xff\xfe HTTP/1.1\r\n", "latin1");
    const [answer] = await exchange(
      gateway.baseUrl,
      Buffer.concat([line, Buffer.from(`Host: x\r\n${KEY}${CLOSE}\r\n`)]),
    );
    assert.ok([400, 404].includes(answer?.status ?? 0));
  });
});

describe("I23: a client that pipelines without limit", () => {
  const one = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  test("is served up to a depth of 16", async () => {
    const socket = await openSocket(gateway.baseUrl);
    const text = readToEnd(socket);
    socket.write(one.repeat(15) + one.replace("\r\n\r\n", `\r\n${CLOSE}\r\n`));
    assert.equal(readAnswers(await text).length, 16);
  });

  test("is disconnected beyond that depth, at little cost", async () => {
    const begun = process.cpuUsage();
    const socket = await openSocket(gateway.baseUrl);
    const text = readToEnd(socket);
    socket.write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5_000));
    assert.ok((await text).split("HTTP/1.1 200").length <= 18);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 3_000_000, `${user + system} µs`);
    assert.equal((await gateway.get("/healthz")).status, 200);
  });
});

describe("contract 2: clients that disconnect", () => {
  const countResponses = async (status: number) => {
    const text: string = (await gateway.get("/metrics")).body;
    const lines = text.split("\n").filter((line) => /^tidegate_http_answer_seconds_count/.test(line));
    return lines.filter((line) => line.includes(`status="${status}"`)).length;
  };

  test("a disconnect in the middle of a body is no database error", async () => {
    const sockets: Socket[] = [];
    for (let index = 0; index < 5; index += 1) {
      const socket = await openSocket(gateway.baseUrl);
      socket.write(
        `POST /paymentrequests HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}Content-Length: 500\r\n\r\n{"payment":`,
      );
      sockets.push(socket);
    }
    await eventually("the requests have started", async () => (await gateway.get("/healthz")).status === 200);
    for (const socket of sockets) socket.destroy();
    await eventually("the requests have ended", async () => (await countResponses(400)) > 0);
    assert.equal(await countResponses(503), 0);
    assert.equal(await countResponses(500), 0);
  });

  test("a disconnect before the response leaves the request completely executed or not at all", async () => {
    const reference = "gone-before-the-answer";
    const body = JSON.stringify({ ...CHECKOUT, reference });
    const socket = await openSocket(gateway.baseUrl);
    socket.write(
      `POST /paymentrequests HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually(
      "the payment request exists",
      async () => (await gateway.get(`/paymentrequests?reference=${reference}`)).body.count === 1,
    );
    socket.destroy();
    assert.equal((await gateway.get(`/events`)).status, 200);
  });
});
