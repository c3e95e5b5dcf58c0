/**
 * Endpoints for the bench, a process of their own: every path of one port acknowledges. Over the IPC channel it is asked
 * for what has come since the last question.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Arrivals = {
  readonly count: number;
  /** Milliseconds from the moment in the envelope to its arrival, as many as were asked for. */
  readonly latencies: readonly number[];
};

let count = 0;
let latencies: number[] = [];
let timing = false;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    count += 1;
    if (timing) {
      const { created } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { created: string };
      latencies.push(performance.timeOrigin + performance.now() - Date.parse(created));
    }
    response.end();
  });
});

process.on("message", (order: { readonly timing: boolean }) => {
  process.send?.({ count, latencies } satisfies Arrivals);
  count = 0;
  latencies = [];
  ({ timing } = order);
});

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
