import { readFile } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import { makeCertificate } from "./certificate.ts";
import { drip, httpServer, listenOn, rawServer } from "./odd-servers.ts";
import { startReceiver, withStatus } from "./receiver.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

/** The expected state of a delivery to a bad endpoint after its first attempt. */
export type ExpectedState = {
  readonly status: "pending" | "delivered" | "failed";
  readonly error: RegExp | null;
};

export type BadEndpoint = { readonly kind: string; readonly url: string; readonly expected: ExpectedState };

/** Starts one endpoint of every bad kind, on loopback. */
export async function startBadEndpoints(): Promise<readonly BadEndpoint[]> {
  const { certFile, keyFile } = await makeCertificate();
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const at = (port: number, scheme = "http") => `${scheme}://localhost:${port}/hook`;
  const retries = (error: RegExp): ExpectedState => ({ status: "pending", error });
  const elsewhere = await startReceiver();
  let turn = 0;
  return [
    { kind: "500", url: (await startReceiver(withStatus(500))).url, expected: retries(/^http_error$/) },
    {
      kind: "302",
      url: (await startReceiver(withStatus(302, { location: elsewhere.url }))).url,
      expected: retries(/^redirect_not_followed$/),
    },
    {
      kind: "410",
      url: (await startReceiver(withStatus(410))).url,
      expected: { status: "failed", error: /^(http_error|subscription_disabled)$/ },
    },
    { kind: "429", url: (await startReceiver(withStatus(429))).url, expected: retries(/^http_error$/) },
    { kind: "hang", url: at(await httpServer(() => {})), expected: retries(/^timeout$/) },
    {
      kind: "drip headers",
      url: at(await rawServer((socket) => drip(socket, "X-More: 1\r\n", HEAD))),
      expected: retries(/^timeout$/),
    },
    {
      kind: "drip body",
      url: at(await rawServer((socket) => drip(socket, "x", `${HEAD}Content-Length: 99999\r\n\r\n`))),
      expected: { status: "delivered", error: null },
    },
    {
      kind: "never end",
      url: at(await rawServer((socket) => void socket.write(`${HEAD}Content-Length: 9\r\n\r\nx`))),
      expected: { status: "delivered", error: null },
    },
    {
      kind: "reset",
      url: at(await rawServer((socket) => socket.resetAndDestroy())),
      expected: retries(/^connection_reset$/),
    },
    {
      kind: "bad TLS",
      url: at(
        await listenOn(createTlsServer({ cert, key }, (_request, response) => response.end())),
        "https",
      ),
      expected: retries(/^tls_failed$/),
    },
    {
      kind: "flap",
      url: (
        await startReceiver((response) => {
          turn += 1;
          response.writeHead(turn % 2 === 0 ? 200 : 503).end();
        })
      ).url,
      expected: retries(/^http_error$/),
    },
  ];
}
