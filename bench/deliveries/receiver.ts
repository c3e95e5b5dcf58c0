/**
 * Endpoints for the bench, a process of their own: every path of one port acknowledges. Over the IPC channel it is asked
 * for what has come since the last question.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Arrivals = {
  readonly count: number;
  /** Milliseconds from the moment in the envelope to its arrival, of those that were to be timed. */
  readonly latencies: readonly number[];
};

/** What is asked: from now on those are timed whose path begins so; undefined: none. */
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
