import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { assertSecure } from "../../support/answers.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { openSocket, readAnswers, readToEnd } from "../../support/raw-http.ts";

const HEAD = `POST /paymentrequests HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\n`;

/** Sends a little every second, for as long as the other side listens. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.writable && socket.write(text), 1_000);
  socket.on("close", () => clearInterval(timer));
}

async function secondsUntilCut(socket: Socket): Promise<{ seconds: number; text: string }> {
  const begun = Date.now();
  const text = await readToEnd(socket, 30_000);
  return { seconds: (Date.now() - begun) / 1_000, text };
}

// The limits are those of the product, 10 and 20 seconds; all slow clients are slow at the same time.
describe("contract 2: slow clients are cut, however they are slow", { concurrency: true }, () => {
  let gateway: TestGateway;
  let secure: TestGateway;
  before(async () => {
    const { certFile, keyFile } = await makeCertificate();
    gateway = await startTestGateway();
    secure = await startTestGateway({
      environment: { TIDEGATE_TLS_CERT_FILE: certFile, TIDEGATE_TLS_KEY_FILE: keyFile },
    });
  });
  after(async () => {
    await gateway.stop();
    await secure.stop();
  });

  const assertTimeout = (text: string) => {
    const [answer] = readAnswers(text);
    assert.equal(answer?.status, 408);
    assertSecure((name) => answer?.headers.get(name));
    assert.equal(JSON.parse(answer?.body ?? "").result.status, "validation_error");
  };

  test("one that says nothing at all, within 13 seconds", async () => {
    const { seconds, text } = await secondsUntilCut(await openSocket(gateway.baseUrl));
    assert.ok(seconds < 13, `${seconds} s`);
    assertTimeout(text);
  });

  test("one that drips its headers, within 13 seconds", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.write(HEAD);
    drip(socket, "X: y\r\n");
    const { seconds, text } = await secondsUntilCut(socket);
    assert.ok(seconds > 8 && seconds < 13, `${seconds} s`);
    assertTimeout(text);
  });

  test("one that drips its body, within 23 seconds", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
    drip(socket, " ");
    const { seconds, text } = await secondsUntilCut(socket);
    assert.ok(seconds > 15 && seconds < 23, `${seconds} s`);
    assertTimeout(text);
  });

  test("one that drips its chunks, within 23 seconds", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    drip(socket, "1\r\n \r\n");
    const { seconds } = await secondsUntilCut(socket);
    assert.ok(seconds < 23, `${seconds} s`);
  });

  test("one on the server of the hosted pages, within 13 seconds", async () => {
    const { seconds } = await secondsUntilCut(await openSocket(gateway.hostedUrl));
    assert.ok(seconds < 13, `${seconds} s`);
  });

  test("one that never begins its TLS handshake, within 13 seconds", async () => {
    const socket = connect({ host: "127.0.0.1", port: secure.settings.apiPort });
    socket.on("error", () => {});
    const { seconds } = await secondsUntilCut(socket);
    assert.ok(seconds < 13, `${seconds} s`);
  });

  test("all the while, others are served at once", async () => {
    const begun = Date.now();
    assert.equal((await gateway.get("/management/account")).status, 200);
    assert.ok(Date.now() - begun < 2_000);
  });
});
