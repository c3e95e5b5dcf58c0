import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { assertSecure } from "../../support/answers.ts";
import { type Certificate, makeCertificate } from "../../support/certificate.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { openSocket, readToEnd } from "../../support/raw-http.ts";

let gateway: TestGateway;
let certificate: Certificate;
before(async () => {
  certificate = await makeCertificate();
  gateway = await startTestGateway({
    environment: { TIDEGATE_TLS_CERT_FILE: certificate.certFile, TIDEGATE_TLS_KEY_FILE: certificate.keyFile },
  });
});
after(() => gateway.stop());

type Read = { status: number; header: (name: string) => string | undefined; body: string };

async function get(url: string, options: RequestOptions = {}): Promise<Read> {
  const call = request(url, { ca: certificate.cert, agent: false, ...options });
  call.end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const header = (name: string) => response.headers[name] as string | undefined;
  return { status: response.statusCode ?? 0, header, body: await text(response) };
}

describe("contract 2: over https", () => {
  test("the base URLs are https", () => {
    assert.match(gateway.baseUrl, /^https:/);
    assert.match(gateway.hostedUrl, /^https:/);
  });

  test("every response has HSTS, errors too, on both servers", async () => {
    for (const [url, status] of [
      [`${gateway.baseUrl}/healthz`, 200],
      [`${gateway.baseUrl}/nowhere`, 404],
      [`${gateway.baseUrl}/paymentrequests`, 401],
      [`${gateway.baseUrl}/%zz`, 400],
      [`${gateway.hostedUrl}/healthz`, 200],
      [`${gateway.hostedUrl}/nowhere`, 404],
    ] as const) {
      const answer = await get(url);
      assert.equal(answer.status, status, url);
      assertSecure(answer.header, { https: true });
    }
    const account = await get(`${gateway.baseUrl}/management/account`, {
      headers: { "x-api-key": TEST_KEY },
    });
    assert.equal(account.status, 200);
    assertSecure(account.header, { https: true });
  });

  test("a response to malformed HTTP has HSTS too", async () => {
    const socket = connect({ host: "127.0.0.1", port: gateway.settings.apiPort, ca: certificate.cert });
    await once(socket, "secureConnect");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.write("nonsense\r\n\r\n");
    await once(socket, "end");
    assert.match(
      Buffer.concat(chunks).toString(),
      /^HTTP\/1.1 400 [\s\S]*\r\nStrict-Transport-Security: max-age=/,
    );
  });

  test("an untrusted proxy cannot remove HSTS", async () => {
    const answer = await get(`${gateway.baseUrl}/healthz`, { headers: { "x-forwarded-proto": "http" } });
    assertSecure(answer.header, { https: true });
  });

  const handshake = async (version: SecureVersion): Promise<string | null> => {
    const socket = connect({
      host: "127.0.0.1",
      port: gateway.settings.apiPort,
      ca: certificate.cert,
      minVersion: version,
      maxVersion: version,
      // Otherwise the client would refuse the old versions.
      ciphers: "ALL@SECLEVEL=0",
    });
    try {
      await once(socket, "secureConnect");
      return socket.getProtocol();
    } finally {
      socket.destroy();
    }
  };

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    test(`${version} is accepted`, async () => assert.equal(await handshake(version), version));
  }
  for (const version of ["TLSv1", "TLSv1.1"] as const) {
    test(`${version} is refused`, async () => {
      await assert.rejects(handshake(version), /protocol version|ECONNRESET|unsupported protocol|alert/i);
    });
  }

  test("a failed handshake closes the connection at once, even if the client keeps its half open", async () => {
    for (const bytes of ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u0016\u0003\u0001\u0000\u0005hello"]) {
      const socket = await openSocket(gateway.baseUrl);
      socket.write(Buffer.from(bytes, "latin1"));
      assert.doesNotMatch(await readToEnd(socket), /HTTP/);
    }
  });

  test("plain HTTP on this port gets no response, and the gateway keeps serving", async () => {
    await assert.rejects(
      fetch(`${gateway.baseUrl.replace("https", "http").replace("localhost", "127.0.0.1")}/healthz`),
    );
    assert.equal((await get(`${gateway.baseUrl}/healthz`)).status, 200);
  });
});

describe("contract 2: behind a proxy", () => {
  const hsts = async (trusted: string | undefined, headers: Readonly<Record<string, string>>) => {
    const proxied = await startTestGateway({
      environment: trusted === undefined ? {} : { TIDEGATE_TRUSTED_PROXIES: trusted },
    });
    try {
      const answer = await proxied.get("/healthz", { headers });
      assert.equal(answer.status, 200);
      return answer.headers.get("strict-transport-security") !== null;
    } finally {
      await proxied.stop();
    }
  };

  test("the forwarded scheme of a trusted proxy is used", async () => {
    assert.equal(await hsts("127.0.0.1", { "x-forwarded-proto": "https" }), true);
    assert.equal(await hsts("10.0.0.0/8, 127.0.0.0/8,::1", { "x-forwarded-proto": "https" }), true);
    assert.equal(await hsts("127.0.0.1", { "x-forwarded-proto": "http" }), false);
    assert.equal(await hsts("127.0.0.1", {}), false);
  });

  test("only the last entry, the proxy's own, is used", async () => {
    assert.equal(await hsts("127.0.0.1", { "x-forwarded-proto": "https, http" }), false);
  });

  test("the forwarded scheme of an untrusted proxy is ignored", async () => {
    assert.equal(await hsts(undefined, { "x-forwarded-proto": "https" }), false);
    assert.equal(await hsts("10.0.0.1", { "x-forwarded-proto": "https" }), false);
  });
});
