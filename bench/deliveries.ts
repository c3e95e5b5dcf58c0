import { setTimeout as pause } from "node:timers/promises";
import type { Posted, PostOrder } from "./deliveries/plain-posts.ts";
import type { Arrivals } from "./deliveries/receiver.ts";
import {
  type BenchShop,
  countWaiting,
  createRequest,
  envelopeOf,
  openShops,
  releaseBacklog,
  writeBacklog,
} from "./deliveries/shops.ts";
import { percentile } from "./figures.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { startGatewayProgram } from "./stage/gateway.ts";
import { nextMessage, type Program, startProgram } from "./stage/program.ts";

const SHOPS = 64;
const AT_ONCE_EACH = 4;
const EVENTS_A_SECOND = 500;
const RATIO_GOAL = 0.5;
const P99_GOAL_MS = 250;
const IPC = ["ignore", "ignore", "inherit", "ipc"] as const;

/** How fast webhooks go out, and how soon after the change. */
export const deliveries: Question = {
  name: "deliveries",
  asks: `webhook deliveries per second to ${SHOPS} endpoints out of a backlog, against plain posts of the same bytes by the same client; and the time from a change to its first attempt at ${EVENTS_A_SECOND} events/s`,
  answer: answerDeliveries,
};

async function answerDeliveries({ seconds, backlog, stage, say }: BenchOptions): Promise<Finding> {
  say("starting PostgreSQL, the gateway, endpoints and plain posts");
  const server = await startDatabaseServer(stage);
  const databaseUrl = await server.newDatabase("deliveries");
  const gateway = await startGatewayProgram(stage, databaseUrl, { TIDEGATE_LOG_LEVEL: "error" });
  const receiver = startProgram(stage, "bench/deliveries/receiver.ts", { stdio: [...IPC] });
  const { port } = await nextMessage<{ port: number }>(receiver, 30_000);
  const poster = startProgram(stage, "bench/deliveries/plain-posts.ts", { stdio: [...IPC] });
  await nextMessage(poster, 30_000);
  const shops = await openShops(databaseUrl, gateway.port, port, SHOPS);
  const collect = (timing: boolean) => ask<Arrivals>(receiver, { timing }, 10_000);

  say(`${EVENTS_A_SECOND} payment requests a second for ${seconds} s`);
  await feed(gateway.port, shops, 2);
  await drained(databaseUrl);
  await collect(true);
  const sent = await feed(gateway.port, shops, seconds);
  await drained(databaseUrl);
  const timed = await collect(false);
  const load = { seconds, latencies: timed.latencies, answers: {} };
  const [p50, p99] = [percentile(load, 0.5), percentile(load, 0.99)];

  const [first] = shops;
  if (first === undefined) throw new Error("there is no shop");
  const event = await envelopeOf(databaseUrl, first);
  const order: PostOrder = {
    urls: shops.map(({ url }) => url),
    atOnceEach: AT_ONCE_EACH,
    body: event.body,
    headers: { "Content-Type": "application/json", "X-Signature": "0".repeat(64), "webhook-id": event.id },
    seconds: Math.min(seconds, 10),
  };
  say("plain posts, to warm up and to measure");
  await ask<Posted>(poster, { ...order, seconds: 2 }, 30_000);
  const before = await ask<Posted>(poster, order, 60_000);

  const each = Math.ceil(backlog / SHOPS);
  say(`writing a backlog of ${each * SHOPS}`);
  await writeBacklog(databaseUrl, shops, event, each);
  await collect(false);
  say("delivering it");
  const delivered = await drain(databaseUrl, each * SHOPS, seconds, collect);
  const after = await ask<Posted>(poster, order, 60_000);

  const floor = (before.acknowledged + after.acknowledged) / (before.seconds + after.seconds);
  const ratio = delivered.rate / floor;
  const failed = before.failed + after.failed;
  return {
    lines: [
      `plain posts      ${Math.round(floor)} /s   failed: ${failed}`,
      `deliveries       ${Math.round(delivered.rate)} /s out of a backlog of ${each * SHOPS}, ${delivered.count} in ${delivered.seconds.toFixed(1)} s`,
      `rate: ${ratio.toFixed(2)} of plain posts; goal ${RATIO_GOAL}: ${verdict(ratio >= RATIO_GOAL)}`,
      `change to first attempt at ${Math.round(sent / seconds)} events/s: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; goal ${P99_GOAL_MS} ms: ${verdict(p99 < P99_GOAL_MS)}`,
      `arrived ${timed.latencies.length} of ${sent}`,
    ],
    met: ratio >= RATIO_GOAL && p99 < P99_GOAL_MS && failed === 0 && timed.latencies.length === sent,
  };
}

/** An open loop: what is slow does not keep the next ones from being sent. Gives how many were sent. */
async function feed(port: number, shops: readonly BenchShop[], seconds: number): Promise<number> {
  const total = EVENTS_A_SECOND * seconds;
  const started = performance.now();
  const sending: Promise<void>[] = [];
  while (sending.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) / 1_000) * EVENTS_A_SECOND));
    while (sending.length < due) {
      const shop = shops[sending.length % shops.length];
      if (shop !== undefined) sending.push(createRequest(port, shop));
    }
    await pause(5);
  }
  await Promise.all(sending);
  return sending.length;
}

async function drained(databaseUrl: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await countWaiting(databaseUrl)) === 0) return;
    await pause(100);
  }
  throw new Error("deliveries are left over");
}

/** From the release until the backlog is gone, or for so long. */
async function drain(
  databaseUrl: string,
  backlog: number,
  seconds: number,
  collect: (timing: boolean) => Promise<Arrivals>,
): Promise<{ readonly rate: number; readonly count: number; readonly seconds: number }> {
  await releaseBacklog(databaseUrl);
  const started = performance.now();
  let count = 0;
  let elapsed = 0;
  while (count < backlog && elapsed < seconds) {
    await pause(50);
    count += (await collect(false)).count;
    elapsed = (performance.now() - started) / 1_000;
  }
  return { rate: count / elapsed, count, seconds: elapsed };
}

function ask<Answer>(program: Program, order: object, withinMs: number): Promise<Answer> {
  const answer = nextMessage<Answer>(program, withinMs);
  program.child.send(order);
  return answer;
}

function verdict(met: boolean): string {
  return met ? "met" : "missed";
}
