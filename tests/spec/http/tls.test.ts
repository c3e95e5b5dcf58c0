import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { createAdmission } from "../../../src/platform/http/admission.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { assertSecure } from "../../support/answers.ts";
import { callsTo } from "../../support/calls.ts";
import { type Certificate, makeCertificate } from "../../support/certificate.ts";
import { shopOf } from "../../support/checkout.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { openSocket, readToEnd } from "../../support/raw-http.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

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

describe("contract 2: behind a proxy that TIDEGATE_TRUSTED_PROXIES does not name", () => {
  let proxied: TestGateway;
  const urls = { baseUrl: "", hostedUrl: "" };
  before(async () => {
    proxied = await startTestGateway({
      environment: {
        TIDEGATE_BASE_URL: "https://api.pay.example",
        TIDEGATE_HOSTED_URL: "https://pay.example",
      },
    });
    urls.baseUrl = `http://127.0.0.1:${proxied.settings.apiPort}`;
    urls.hostedUrl = `http://127.0.0.1:${proxied.settings.hostedPort}`;
  });
  after(() => proxied.stop());

  test("https in the configured URL is enough for HSTS on every response", async () => {
    for (const [path, status] of [
      ["/healthz", 200],
      ["/nowhere", 404],
      ["/%zz", 400],
    ] as const)
      for (const url of [urls.baseUrl, urls.hostedUrl]) {
        const answer = await callsTo(url).get(path);
        assert.equal(answer.status, status, path);
        assertSecure((name) => answer.headers.get(name), { https: true });
      }
    const socket = await openSocket(urls.baseUrl);
    socket.write("NONSENSE\r\n\r\n");
    assert.match(await readToEnd(socket), /^HTTP\/1\.1 400 [\s\S]*strict-transport-security: max-age=/i);
  });

  test("and for a Secure cookie with the sealed card", async () => {
    const shop = shopOf(urls);
    const category = { authenticationType: "3d_secure" };
    const { hostedPaymentPage } = await createHosted(shop, { amount: 14418, category });
    const sent = await visitPage(shop, new URL(hostedPaymentPage.url).pathname, CARD_FORM);
    assert.match(sent.headers.get("set-cookie") ?? "", /; HttpOnly; SameSite=Lax; Secure$/);
  });

  test("and a process past its limit sends HSTS, too", async (t) => {
    const admission = createAdmission({
      baseUrl: "https://api.pay.example",
      limit: 1,
      log: createLog("silent"),
      onRefused: () => {},
    });
    const first = Promise.withResolvers<ServerResponse>();
    const full = createServer(
      admission.guard(
        (_, response) => first.resolve(response),
        () => "money",
        true,
      ),
    ).listen(0, "127.0.0.1");
    t.after(() => full.close());
    await once(full, "listening");
    const url = `http://127.0.0.1:${(full.address() as AddressInfo).port}/`;
    const held = fetch(url);
    const response = await first.promise;
    const refused = await fetch(url);
    assert.equal(refused.status, 503);
    assertSecure((name) => refused.headers.get(name), { https: true });
    response.end();
    await held;
  });
});
