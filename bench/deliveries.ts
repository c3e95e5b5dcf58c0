import { setTimeout as pause } from "node:timers/promises";
import { compareWithPosts, queryReceiver, type Rates, type Setup } from "./deliveries/against-posts.ts";
import {
  type BenchShop,
  countWaiting,
  createRequest,
  envelopeOf,
  holdBacklog,
  openShops,
  releaseBacklog,
  writeBacklog,
} from "./deliveries/shops.ts";
import { verdict } from "./lines.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { startGatewayProgram } from "./stage/gateway.ts";
import { nextMessage, startProgram } from "./stage/program.ts";
import { percentile } from "./statistics.ts";

const SHOPS = 64;
const AT_ONCE_EACH = 4;
const EVENTS_A_SECOND = 500;
/** Shops without a backlog, measured while the others' backlog is delivered. */
const FRESH_SHOPS = 8;
const FRESH_A_SECOND = 20;
/** The default backlog: enough for warm-up and measurement on an idle machine. */
const SMALL_BACKLOG = 400_000;
const RATIO_GOAL = 0.6;
const P99_GOAL_MS = 100;
const IPC = ["ignore", "ignore", "inherit", "ipc"] as const;

/** How many webhooks per second are delivered, and how soon after the change. */
export const deliveries: Question = {
  name: "deliveries",
  description: `webhook deliveries per second to ${SHOPS} endpoints out of a backlog, against plain posts of the same bytes by the same client; and the time from a change to its first attempt at ${EVENTS_A_SECOND} events/s`,
  answer: answerDeliveries,
};

async function answerDeliveries({ seconds, backlog, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL, the gateway, endpoints and plain posts");
  const server = await startDatabaseServer(stage);
  const databaseUrl = await server.newDatabase("deliveries");
  const { port, pid } = await startGatewayProgram(stage, databaseUrl, { TIDEGATE_LOG_LEVEL: "error" });
  const receiver = startProgram(stage, "bench/deliveries/receiver.ts", { stdio: [...IPC] });
  const { port: receiverPort } = await nextMessage<{ port: number }>(receiver, 30_000);
  const poster = startProgram(stage, "bench/deliveries/plain-posts.ts", { stdio: [...IPC] });
  await nextMessage(poster, 30_000);
  const place = { databaseUrl, apiPort: port, receiverPort };
  const shops = await openShops(place, "/shop/", SHOPS);
  const fresh = await openShops(place, "/fresh/", FRESH_SHOPS);

  report(`${EVENTS_A_SECOND} payment requests a second for ${seconds} s`);
  await feed(port, shops, EVENTS_A_SECOND, 2);
  await drained(databaseUrl, shops);
  await queryReceiver(receiver, { timed: "/shop/" });
  const sent = await feed(port, shops, EVENTS_A_SECOND, seconds);
  await drained(databaseUrl, shops);
  const { latencies } = await queryReceiver(receiver, {});
  const measured = { seconds, latencies, answers: {} };
  const [p50, p99] = [percentile(measured, 0.5), percentile(measured, 0.99)];

  const setup = await setupOf({ databaseUrl, gatewayPid: pid, shops, receiver, poster });
  const small = await deliverFrom(setup, { first: 1, last: each(SMALL_BACKLOG) }, seconds, report);
  const met = small.deliveries / small.posts >= RATIO_GOAL && p99 < P99_GOAL_MS && small.failed === 0;
  const big =
    backlog <= SMALL_BACKLOG
      ? []
      : await withBacklog(setup, { port, fresh, backlog, seconds, alone: small, report });
  return {
    lines: [
      rateLine(SMALL_BACKLOG, small),
      cpuLine(small),
      `goal ${RATIO_GOAL}: ${verdict(small.deliveries / small.posts >= RATIO_GOAL)}; posts that failed: ${small.failed}`,
      `change to first attempt at ${Math.round(sent / seconds)} events/s: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; goal ${P99_GOAL_MS} ms: ${verdict(p99 < P99_GOAL_MS)}`,
      `arrived ${latencies.length} of ${sent}`,
      ...big,
    ],
    met: met && latencies.length === sent,
  };
}

/** The floor posts one real envelope with all the headers of a delivery. */
async function setupOf(
  parts: Omit<Setup, "order">,
): Promise<Setup & { event: { id: string; body: string } }> {
  const [first] = parts.shops;
  if (first === undefined) throw new Error("no shop was created");
  const event = await envelopeOf(parts.databaseUrl, first);
  const order = {
    urls: parts.shops.map(({ url }) => url),
    atOnceEach: AT_ONCE_EACH,
    body: event.body,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": "Tidegate-Webhooks/1.0",
      "X-Signature": "0".repeat(64),
      "webhook-id": event.id,
      "webhook-timestamp": "1800000000",
      "webhook-signature": `v1,${"0".repeat(43)}=`,
    },
  };
  return { ...parts, order, event };
}

async function deliverFrom(
  setup: Awaited<ReturnType<typeof setupOf>>,
  numbers: { readonly first: number; readonly last: number },
  seconds: number,
  report: BenchOptions["report"],
): Promise<Rates> {
  const count = (numbers.last - numbers.first + 1) * SHOPS;
  report(`writing ${count} events, then delivering and posting in turns`);
  await holdBacklog(setup.databaseUrl, setup.shops);
  await writeBacklog(setup.databaseUrl, setup.shops, setup.event, numbers);
  return compareWithPosts(setup, seconds);
}

type BacklogParts = {
  readonly port: number;
  readonly fresh: readonly BenchShop[];
  readonly backlog: number;
  readonly seconds: number;
  readonly alone: Rates;
  readonly report: BenchOptions["report"];
};

/** The same with a big backlog, and the latency of other shops while it is delivered. */
async function withBacklog(
  setup: Awaited<ReturnType<typeof setupOf>>,
  { port, fresh, backlog, seconds, alone, report }: BacklogParts,
): Promise<readonly string[]> {
  const first = each(SMALL_BACKLOG) + 1;
  const big = await deliverFrom(setup, { first, last: first + each(backlog) }, seconds, report);
  report("measuring other shops while it is delivered");
  await queryReceiver(setup.receiver, { timed: "/fresh/" });
  await releaseBacklog(setup.databaseUrl);
  const sent = await feed(port, fresh, FRESH_A_SECOND, seconds);
  await drained(setup.databaseUrl, fresh);
  const { latencies } = await queryReceiver(setup.receiver, {});
  const beside = { seconds, latencies, answers: {} };
  const share = big.deliveries / big.posts / (alone.deliveries / alone.posts);
  return [
    `${rateLine(backlog, big)}: ${share.toFixed(2)} of the rate with the small one`,
    cpuLine(big),
    `change to first attempt at shops without a backlog, meanwhile: p50 ${percentile(beside, 0.5).toFixed(0)} ms, p99 ${percentile(beside, 0.99).toFixed(0)} ms (${latencies.length} of ${sent})`,
  ];
}

const each = (backlog: number) => Math.ceil(backlog / SHOPS);

function rateLine(backlog: number, { posts, deliveries: rate }: Rates): string {
  return `out of a backlog of ${backlog}: ${(rate / posts).toFixed(2)} of plain posts (${Math.round(rate)}/s of ${Math.round(posts)}/s)`;
}

function cpuLine({ cpu }: Rates): string {
  const ratio = cpu.post / cpu.delivery;
  return `processor time: ${Math.round(cpu.delivery)} µs a delivery (and ${Math.round(cpu.database)} µs of the database), ${Math.round(cpu.post)} µs a post: ${ratio.toFixed(2)}`;
}

/** An open loop: slow answers do not delay the next requests. Returns how many were sent. */
async function feed(
  port: number,
  shops: readonly BenchShop[],
  perSecond: number,
  seconds: number,
): Promise<number> {
  const total = perSecond * seconds;
  const started = performance.now();
  const sending: Promise<void>[] = [];
  while (sending.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) / 1_000) * perSecond));
    while (sending.length < due) {
      const shop = shops[sending.length % shops.length];
      if (shop !== undefined) sending.push(createRequest(port, shop));
    }
    await pause(5);
  }
  await Promise.all(sending);
  return sending.length;
}

async function drained(databaseUrl: string, shops: readonly BenchShop[]): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await countWaiting(databaseUrl, shops)) === 0) return;
    await pause(100);
  }
  throw new Error("some deliveries are still pending after a minute");
}
