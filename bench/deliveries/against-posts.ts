import { setTimeout as pause } from "node:timers/promises";
import { type CpuUse, cpuBetween, readCpu } from "../stage/cpu.ts";
import { nextMessage, type Program } from "../stage/program.ts";
import type { Posted, PostOrder } from "./plain-posts.ts";
import type { Arrivals, ReceiverOrder } from "./receiver.ts";
import { type BenchShop, holdBacklog, releaseBacklog } from "./shops.ts";

/** Both run in alternating slices, so that noise on the machine affects both alike. */
const TURNS = 5;
/** V8 compiles what has run often: both run this many before the measurement, or as many as a minute allows. */
const WARM_UP = 10_000;
/** A node leases merchants within a second; a loaded machine gets more time. */
const FIRST_ARRIVAL_MS = 30_000;
const WARM_UP_AT_MOST_MS = 60_000;
const QUIET_MS = 400;

export type Setup = {
  readonly databaseUrl: string;
  readonly gatewayPid: number;
  readonly shops: readonly BenchShop[];
  readonly receiver: Program;
  readonly poster: Program;
  readonly order: Omit<PostOrder, "seconds">;
};

export type Rates = {
  readonly posts: number;
  readonly deliveries: number;
  readonly failed: number;
  /** CPU microseconds per post or delivery: least affected by other load. NaN where the kernel does not report it. */
  readonly cpu: { readonly post: number; readonly delivery: number; readonly database: number };
};

/** Measures deliveries per second from the backlog and plain posts per second, for that many seconds each. */
export async function compareWithPosts(setup: Setup, seconds: number): Promise<Rates> {
  const { poster, order } = setup;
  const slice = seconds / TURNS;
  const [posted, delivered] = [newTally(), newTally()];
  let failed = 0;
  await warmUp(setup);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await readCpu({ pid: poster.pid, databaseUrl: setup.databaseUrl });
    const posts = await request<Posted>(poster, { ...order, seconds: slice }, 120_000);
    const used = cpuBetween(before, await readCpu({ pid: poster.pid, databaseUrl: setup.databaseUrl }));
    posted.add(posts.acknowledged, posts.seconds, used);
    failed += posts.failed;
    await deliverFor(setup, slice, delivered);
  }
  const [post, delivery] = [posted.cpu(), delivered.cpu()];
  return {
    posts: posted.rate(),
    deliveries: delivered.rate(),
    failed,
    cpu: { post: post.program, delivery: delivery.program, database: delivery.database },
  };
}

async function warmUp(setup: Setup): Promise<void> {
  const until = performance.now() + WARM_UP_AT_MOST_MS;
  let posts = 0;
  while (posts < WARM_UP && performance.now() < until)
    posts += (await request<Posted>(setup.poster, { ...setup.order, seconds: 1 }, 120_000)).acknowledged;
  const tally = newTally();
  while (tally.count() < WARM_UP && performance.now() < until + WARM_UP_AT_MOST_MS)
    await deliverFor(setup, 1, tally);
}

/** Counts from the first arrival: the time that a node needs to lease merchants is not part of the rate. */
async function deliverFor(setup: Setup, seconds: number, tally: ReturnType<typeof newTally>): Promise<void> {
  const arrived = async () => (await queryReceiver(setup.receiver, {})).count;
  await arrived();
  await releaseBacklog(setup.databaseUrl);
  const deadline = performance.now() + FIRST_ARRIVAL_MS;
  while ((await arrived()) === 0) {
    if (performance.now() > deadline)
      throw new Error("nothing arrives: the backlog is used up, or deliveries stall");
    await pause(10);
  }
  const measured = { pid: setup.gatewayPid, databaseUrl: setup.databaseUrl };
  const before = await readCpu(measured);
  await arrived();
  const started = performance.now();
  let [count, elapsed, silent] = [0, 0, 0];
  // After a second without arrivals nothing is left; that second is not counted.
  while (elapsed < seconds && silent < 20) {
    await pause(50);
    const more = await arrived();
    silent = more === 0 ? silent + 1 : 0;
    if (more > 0) elapsed = (performance.now() - started) / 1_000;
    count += more;
  }
  tally.add(count, elapsed, cpuBetween(before, await readCpu(measured)));
  await holdBacklog(setup.databaseUrl, setup.shops);
  while ((await pause(QUIET_MS, true)) && (await arrived()) > 0);
}

export function queryReceiver(receiver: Program, order: ReceiverOrder): Promise<Arrivals> {
  return request<Arrivals>(receiver, order, 30_000);
}

function request<Answer>(program: Program, order: object, withinMs: number): Promise<Answer> {
  const answer = nextMessage<Answer>(program, withinMs);
  program.child.send(order);
  return answer;
}

function newTally() {
  let [count, seconds, program, database] = [0, 0, 0, 0];
  return {
    add: (more: number, took: number, cpu: CpuUse | undefined) => {
      count += more;
      seconds += took;
      program += cpu?.program ?? Number.NaN;
      database += cpu?.database ?? Number.NaN;
    },
    count: () => count,
    rate: () => count / seconds,
    cpu: () => ({ program: (program * 1_000) / count, database: (database * 1_000) / count }),
  };
}
