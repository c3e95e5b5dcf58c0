/**
 * Endpoints for the bench in a separate process: every path of one port acknowledges. On each IPC message it returns
 * what has arrived since the last one.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Arrivals = {
  readonly count: number;
  /** Milliseconds from the envelope's creation time to its arrival, of the timed ones. */
  readonly latencies: readonly number[];
};

/** From now on, deliveries to paths with this prefix are timed; undefined: none. */
export type ReceiverOrder = { readonly timed?: string };

let count = 0;
let latencies: number[] = [];
let timed: string | undefined;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    count += 1;
    if (timed !== undefined && request.url?.startsWith(timed) === true) {
      const { created } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { created: string };
      latencies.push(performance.timeOrigin + performance.now() - Date.parse(created));
    }
    response.end();
  });
});

process.on("message", (order: ReceiverOrder) => {
  process.send?.({ count, latencies } satisfies Arrivals);
  count = 0;
  latencies = [];
  ({ timed } = order);
});

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
