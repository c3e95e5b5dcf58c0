import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { assertSecure } from "../../support/answers.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { openSocket, readAnswers, readToEnd } from "../../support/raw-http.ts";

const HEAD = `POST /paymentrequests HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\n`;

/** Writes the text every second until the connection closes. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.writable && socket.write(text), 1_000);
  socket.on("close", () => clearInterval(timer));
}

async function secondsUntilClosed(socket: Socket): Promise<{ seconds: number; text: string }> {
  const begun = Date.now();
  const text = await readToEnd(socket, 90_000);
  return { seconds: (Date.now() - begun) / 1_000, text };
}

// The limits are the product's own, 10 and 20 seconds, and a busy machine is late; all clients are slow at the same time.
describe("contract 2: the connection of a slow client is closed", { concurrency: true }, () => {
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

  test("within 45 seconds if it sends nothing", async () => {
    const { seconds, text } = await secondsUntilClosed(await openSocket(gateway.baseUrl));
    assert.ok(seconds < 45, `${seconds} s`);
    assertTimeout(text);
  });

  test("within 45 seconds if it sends its headers slowly", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.write(HEAD);
    drip(socket, "X: y\r\n");
    const { seconds, text } = await secondsUntilClosed(socket);
    assert.ok(seconds > 8 && seconds < 45, `${seconds} s`);
    assertTimeout(text);
  });

  test("within 55 seconds if it sends its body slowly", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
    drip(socket, " ");
    const { seconds, text } = await secondsUntilClosed(socket);
    assert.ok(seconds > 15 && seconds < 55, `${seconds} s`);
    assertTimeout(text);
  });

  test("within 55 seconds if it sends its chunks slowly", async () => {
    const socket = await openSocket(gateway.baseUrl);
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    drip(socket, "1\r\n \r\n");
    const { seconds } = await secondsUntilClosed(socket);
    assert.ok(seconds < 55, `${seconds} s`);
  });

  test("within 45 seconds on the server of the hosted pages", async () => {
    const { seconds } = await secondsUntilClosed(await openSocket(gateway.hostedUrl));
    assert.ok(seconds < 45, `${seconds} s`);
  });

  test("within 45 seconds if it never begins its TLS handshake", async () => {
    const socket = connect({ host: "127.0.0.1", port: secure.settings.apiPort });
    socket.on("error", () => {});
    const { seconds } = await secondsUntilClosed(socket);
    assert.ok(seconds < 45, `${seconds} s`);
  });

  test("other clients do not wait for that in the meantime", async () => {
    const begun = Date.now();
    assert.equal((await gateway.get("/management/account")).status, 200);
    assert.ok(Date.now() - begun < 9_000);
  });
});
