import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createEgress, type Egress } from "../../../src/platform/egress/egress.ts";
import { makeAuthority, makeCertificate } from "../../support/certificate.ts";
import { callApi, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { freePort, startTestGateway, type TestGateway } from "../../support/gateway.ts";

const PATH = "/management/applepaydomains";

type Handler = (request: IncomingMessage, response: ServerResponse, text: string) => void;
const send = (status: number, headers: Record<string, string>, body: (text: string) => string): Handler => {
  return (_, response, text) => response.writeHead(status, headers).end(body(text));
};
const plain = { "content-type": "text/plain" };

/** What each site does, and what is said of it. All of them are this machine, behind real TLS. */
const SITES: Readonly<Record<string, readonly [Handler, RegExp | undefined]>> = {
  "good.shop.example": [send(200, plain, (text) => text), undefined],
  "octets.shop.example": [
    send(200, { "content-type": "application/octet-stream" }, (text) => `${text}\r\n`),
    undefined,
  ],
  "charset.shop.example": [
    send(200, { "content-type": "Text/Plain; charset=utf-8" }, (text) => text),
    undefined,
  ],
  "gone.shop.example": [send(404, plain, () => "no"), /the answer is HTTP 404, not 200/],
  "broken.shop.example": [send(500, plain, () => "no"), /the answer is HTTP 500, not 200/],
  "moved.shop.example": [
    send(302, { location: "https://elsewhere.example/file" }, () => ""),
    /it redirects to https:\/\/elsewhere\.example\/file/,
  ],
  "moved-nowhere.shop.example": [send(301, {}, () => ""), /it redirects; the file has to be there itself/],
  "page.shop.example": [send(200, { "content-type": "text/html" }, (text) => text), /an HTML page/],
  "wrapped.shop.example": [send(200, plain, (text) => `\n <pre>${text}</pre>`), /an HTML page/],
  "json.shop.example": [
    send(200, { "content-type": "application/json" }, (text) => text),
    /content type is application\/json/,
  ],
  "untyped.shop.example": [send(200, {}, (text) => text), /content type is missing/],
  "differs.shop.example": [send(200, plain, (text) => `${text}0`), /the file's text differs/],
  "empty.shop.example": [send(200, plain, () => ""), /the file's text differs/],
  "long.shop.example": [send(200, plain, (text) => text + " ".repeat(20_000)), /too long, or did not end/],
  "silent.shop.example": [() => {}, /no whole answer came/],
  "dripping.shop.example": [
    (_, response, text) => response.writeHead(200, plain).write(text),
    /too long, or did not end/,
  ],
  "cut.shop.example": [(request) => request.socket.destroy(), /the connection was broken off/],
};

const HANGING = /^(silent|dripping)\./;

/** What never comes to an answer. */
const UNREACHED: Readonly<Record<string, RegExp>> = {
  "nowhere.shop.example": /the name has no address \(DNS\)/,
  "inside.shop.example": /an address that is not public/,
  "closed.shop.example": /nothing answers on port 443/,
  "untrusted.shop.example": /its certificate is not valid for this name \(TLS\)/,
  "of.another.name.example": /its certificate is not valid for this name \(TLS\)/,
  "without-tls.shop.example": /TLS|connection/,
};

describe("spec 4: the association file of a domain, over real TLS", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let egress: Egress;
  let text = "";
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  before(async () => {
    const { ca, cert, key } = await makeAuthority(["*.shop.example"]);
    const own = await makeCertificate();
    const handler = (request: IncomingMessage, response: ServerResponse) =>
      SITES[(request.headers.host ?? "").split(":")[0] ?? ""]?.[0](request, response, text);
    const sites = await listen(createServer({ cert, key }, handler));
    const untrusted = await listen(
      createServer({ cert: own.cert, key: await readFile(own.keyFile) }, handler),
    );
    const withoutTls = await listen(createHttpServer(handler));
    const ports: Readonly<Record<string, number>> = {
      "untrusted.shop.example": untrusted,
      "without-tls.shop.example": withoutTls,
      "closed.shop.example": await freePort(),
    };
    egress = createEgress(
      async (host) => {
        if (host === "nowhere.shop.example") throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
        return [{ address: host === "inside.shop.example" ? "10.0.0.1" : "127.0.0.1", family: 4 }];
      },
      { ca },
    );
    gateway = await startTestGateway({
      // Nobody can listen on port 443 in a test, and for those that hang nobody waits ten seconds.
      wrapWorld: (world) => ({
        ...world,
        egress: {
          ...egress,
          send: ({ url, withinMs, ...outgoing }) => {
            const { hostname, pathname } = new URL(url);
            const moved = `https://${hostname}:${ports[hostname] ?? sites}${pathname}`;
            return egress.send({
              ...outgoing,
              url: moved,
              withinMs: HANGING.test(hostname) ? withinMs / 5 : withinMs,
            });
          },
        },
      }),
    });
    shop = shopOf(gateway);
    text = (await gateway.call(`${PATH}/association`, {})).body as string;
  });
  after(async () => {
    try {
      await egress.close();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    } finally {
      await gateway.stop();
    }
  });

  test("each way to fail is told apart, and none of them registers anything", async () => {
    const failing = [
      ...Object.entries(SITES).flatMap(([domain, [, why]]) =>
        why === undefined ? [] : [[domain, why] as const],
      ),
      ...Object.entries(UNREACHED),
    ];
    const answer = await callApi(shop, "POST", PATH, { domains: failing.map(([domain]) => domain) });
    assert.equal(answer.status, 500);
    const codes: { domain: string; reason: string; field: string }[] = answer.body.result.codes;
    assert.deepEqual(
      codes.map(({ domain }) => domain),
      failing.map(([domain]) => domain),
    );
    for (const [index, [domain, why]] of failing.entries()) {
      assert.match(codes[index]?.reason ?? "", why, domain);
      assert.match(codes[index]?.reason ?? "", /^Domain verification failed: [\x20-\x7e]+$/);
    }
    assert.deepEqual(ok(await callApi(shop, "GET", PATH)).domains, []);
  });

  test("files that are as they should be are taken", async () => {
    const good = Object.entries(SITES).flatMap(([domain, [, why]]) => (why === undefined ? [domain] : []));
    const made = ok(await callApi(shop, "POST", PATH, { domains: good }));
    assert.deepEqual(
      made.domains.map(({ domain }: { domain: string }) => domain),
      good.toSorted(),
    );
  });
});
