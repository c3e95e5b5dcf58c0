/**
 * The load generator, in a separate process: it gets its orders over the IPC channel and returns the results.
 *
 * A closed loop unless the order has a rate: each connection sends its next request when the answer to the last one is
 * complete. It is our own, on
 * `node:net`, because autocannon destroys its sockets with requests in flight when the time is over, so that answers
 * cannot be compared with rows, and rounds latencies to milliseconds; this one lets every request finish.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Load } from "../statistics.ts";
import { type Connection, openConnection } from "./connection.ts";
import { CARD_NUMBER, cardNumberText, NUMBER, numberText } from "./number.ts";

export type LoadOrder = {
  /** `POST` unless given. */
  readonly method?: "GET" | "POST";
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The number for NUMBER and CARD_NUMBER in the first request; every request takes the next one. */
  readonly firstNumber?: number;
  readonly connections: number;
  /** From the opened connections to the first request, 0 unless given. */
  readonly leadSeconds?: number;
  readonly seconds: number;
  /** Requests per second, sent whether or not earlier ones are answered. Undefined: a closed loop. */
  readonly rate?: number | undefined;
};

async function generate(order: LoadOrder): Promise<Load> {
  const nextRequest = requestsOf(order);
  const connections = await Promise.all(
    Array.from({ length: order.connections }, () => openConnection(order.port)),
  );
  await pause((order.leadSeconds ?? 0) * 1_000);
  const latencies: number[] = [];
  const answers: Record<number, number> = {};
  const started = performance.now();
  const until = started + order.seconds * 1_000;
  const send = async (connection: Connection): Promise<boolean> => {
    const sent = performance.now();
    const status = await connection.exchange(nextRequest());
    answers[status] = (answers[status] ?? 0) + 1;
    if (status === 200) latencies.push(performance.now() - sent);
    return status !== 0;
  };
  if (order.rate === undefined) {
    await Promise.all(
      connections.map(async (connection) => {
        while (performance.now() < until) if (!(await send(connection))) return;
      }),
    );
  } else await sendAtRate(connections, { rate: order.rate, started, until }, send);
  const seconds = (performance.now() - started) / 1_000;
  for (const connection of connections) connection.close();
  return { seconds, latencies, answers };
}

/**
 * An open loop: callers that know nothing of each other. A request that finds no free connection is not sent: its caller
 * would wait in a queue of its own.
 */
async function sendAtRate(
  connections: readonly Connection[],
  { rate, started, until }: { readonly rate: number; readonly started: number; readonly until: number },
  send: (connection: Connection) => Promise<boolean>,
): Promise<void> {
  const idle = [...connections];
  const running = new Set<Promise<void>>();
  let due = 0;
  for (let now = started; now < until; now = performance.now()) {
    for (const target = ((now - started) / 1_000) * rate; due < target; due += 1) {
      // The one that has been idle longest: a server closes connections that are idle for seconds.
      const connection = idle.shift();
      if (connection === undefined) continue;
      const one = send(connection).then((isOpen) => {
        running.delete(one);
        if (isOpen) idle.push(connection);
      });
      running.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
}

/** Returns the bytes of the next request; always the same if the order has no number. */
function requestsOf(order: LoadOrder): () => Buffer {
  const text = requestText(order);
  const bytes = Buffer.from(text);
  if (order.firstNumber === undefined) return () => bytes;
  let number = order.firstNumber;
  return () => {
    const written = text.replaceAll(NUMBER, numberText(number)).replace(CARD_NUMBER, cardNumberText(number));
    number += 1;
    return Buffer.from(written);
  };
}

function requestText({ method = "POST", port, path, headers, body }: LoadOrder): string {
  const content = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...(method === "POST" ? content : {}),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

process.on("message", (order: LoadOrder) => {
  generate(order).then(
    (load) => process.send?.(load),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
