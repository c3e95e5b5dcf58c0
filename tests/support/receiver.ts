import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { eventually } from "./eventually.ts";

/** A delivery as an endpoint received it. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  /** How many earlier deliveries of the same event this receiver got. */
  readonly repeat: number;
};

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** The highest number of concurrent requests. */
  readonly mostAtOnce: () => number;
  /** Waits for `count` deliveries and returns them all. */
  readonly until: (count: number) => Promise<readonly Received[]>;
  /** Replaces the reply from now on. */
  readonly answer: (answer: Reply) => void;
  readonly clear: () => void;
  readonly close: () => Promise<void>;
};

/** How an endpoint answers; a reply that does nothing hangs. */
export type Reply = (response: ServerResponse, received: Received) => void | Promise<void>;

export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, headers).end();
  };

/** A real HTTP endpoint on loopback that records every delivery. */
export async function startReceiver(reply: Reply = withStatus(200)): Promise<Receiver> {
  const received: Received[] = [];
  const seen = new Map<string, number>();
  let answering = reply;
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      const repeat = seen.get(id) ?? 0;
      seen.set(id, repeat + 1);
      const one = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        at: Date.now(),
        repeat,
      };
      received.push(one);
      void answering(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  after(() => (server.listening ? close() : undefined));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    mostAtOnce: () => most,
    until: (count) =>
      eventually(
        `${count} deliveries, not ${received.length}`,
        async () => received.length >= count && received,
      ),
    answer: (next) => {
      answering = next;
    },
    clear: () => {
      received.length = 0;
      seen.clear();
    },
    close,
  };
}
