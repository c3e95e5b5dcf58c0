/**
 * Calls the compared programs, in a separate process: it gets its orders over the IPC channel and returns the results. Unlike
 * the load generator it follows a payment through several calls, and reads each answer.
 */
import { Pool } from "undici";
import type { Load } from "../statistics.ts";
import { type Call, FLOWS, type FlowName, type Ports, type Work } from "./flows.ts";

export type CallOrder = {
  readonly flow: FlowName;
  readonly work: Work;
  readonly ports: Ports;
  readonly callers: number;
  readonly seconds: number;
  /** Works per second, begun whether or not earlier ones are done. Undefined: each caller begins when its last is done. */
  readonly rate?: number;
};

/** `answers`: 200 for a work that was done, 0 for one that failed. */
export type CallResult = Load & { readonly problem?: string };

const DEADLINE_MS = 10_000;
/** A caller does not wait longer than this for its turn: a work that is due while so much is in progress has failed. */
const BACKLOG_SECONDS = 5;

async function perform(order: CallOrder): Promise<CallResult> {
  const pools = new Map<number, Pool>();
  const call: Call = async (port, path, headers, body) => {
    const pool = pools.get(port) ?? new Pool(`http://127.0.0.1:${port}`, { connections: order.callers });
    pools.set(port, pool);
    const limits = { headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS };
    const method = body === undefined ? "GET" : "POST";
    const answer = await pool.request({ path, method, headers, body: body ?? null, ...limits });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`${path} was answered with ${answer.statusCode}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  try {
    return await measure(order, await workOf(order, call));
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  }
}

async function workOf({ flow: name, work, ports }: CallOrder, call: Call): Promise<() => Promise<unknown>> {
  const flow = FLOWS[name];
  if (work === "read") {
    const id = flow.anyId ?? (await flow.payment?.(call, ports)) ?? "";
    return () => flow.read(call, ports, id);
  }
  const doIt = flow[work];
  if (doIt === undefined) throw new Error(`${name} does not do ${work}`);
  return () => doIt(call, ports);
}

async function measure(order: CallOrder, work: () => Promise<unknown>): Promise<CallResult> {
  const latencies: number[] = [];
  let failures = 0;
  let problem: string | undefined;
  const started = performance.now();
  const until = started + order.seconds * 1_000;
  const once = async (since: number) => {
    try {
      await work();
      latencies.push(performance.now() - since);
    } catch (error) {
      failures += 1;
      problem ??= String(error);
    }
  };
  if (order.rate === undefined) {
    const caller = async () => {
      while (performance.now() < until) await once(performance.now());
    };
    await Promise.all(Array.from({ length: order.callers }, caller));
  } else {
    const running = new Set<Promise<void>>();
    // A latency counts from the time at which the work was due, so that a late start counts too.
    for (let due = started; due < until; due += 1_000 / order.rate) {
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (running.size >= order.rate * BACKLOG_SECONDS) {
        failures += 1;
        problem ??= `${running.size} works were in progress, more than ${BACKLOG_SECONDS} s of them`;
        continue;
      }
      const one = once(due).finally(() => running.delete(one));
      running.add(one);
    }
    await Promise.all(running);
  }
  const seconds = (performance.now() - started) / 1_000;
  const answers = { 200: latencies.length, ...(failures > 0 && { 0: failures }) };
  return { seconds, latencies, answers, ...(problem !== undefined && { problem }) };
}

process.on("message", (order: CallOrder) => {
  perform(order).then(
    (result) => process.send?.(result),
    (error: unknown) =>
      process.send?.({ seconds: 1, latencies: [], answers: { 0: 1 }, problem: String(error) }),
  );
});
