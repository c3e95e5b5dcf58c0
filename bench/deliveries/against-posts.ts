import { setTimeout as pause } from "node:timers/promises";
import { type CpuUse, cpuBetween, readCpu } from "../stage/cpu.ts";
import { nextMessage, type Program } from "../stage/program.ts";
import type { Posted, PostOrder } from "./plain-posts.ts";
import type { Arrivals, ReceiverOrder } from "./receiver.ts";
import { type BenchShop, holdBacklog, releaseBacklog } from "./shops.ts";

/** Both take turns in slices, so that a noisy machine hits both alike. */
const TURNS = 5;
/** V8 compiles what has run often: before anything is counted both have done so many, or as many as a minute allows. */
const WARM_UP = 10_000;
/** A node takes up merchants within a second; a loaded machine is given more. */
const FIRST_ARRIVAL_MS = 30_000;
const WARM_UP_AT_MOST_MS = 60_000;
const QUIET_MS = 400;

export type Field = {
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
  /** Microseconds of processor time for one: what a noisy neighbour changes least. NaN where the kernel does not tell. */
  readonly cpu: { readonly post: number; readonly delivery: number; readonly database: number };
};

/** Deliveries a second out of what waits, and plain posts a second, for so many seconds each. */
export async function compareWithPosts(field: Field, seconds: number): Promise<Rates> {
  const { poster, order } = field;
  const slice = seconds / TURNS;
  const [posted, delivered] = [newTally(), newTally()];
  let failed = 0;
  await warmUp(field);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await readCpu({ pid: poster.pid, databaseUrl: field.databaseUrl });
    const posts = await ask<Posted>(poster, { ...order, seconds: slice }, 120_000);
    const used = cpuBetween(before, await readCpu({ pid: poster.pid, databaseUrl: field.databaseUrl }));
    posted.add(posts.acknowledged, posts.seconds, used);
    failed += posts.failed;
    await deliverFor(field, slice, delivered);
  }
  const [post, delivery] = [posted.cpu(), delivered.cpu()];
  return {
    posts: posted.rate(),
    deliveries: delivered.rate(),
    failed,
    cpu: { post: post.program, delivery: delivery.program, database: delivery.database },
  };
}

async function warmUp(field: Field): Promise<void> {
  const until = performance.now() + WARM_UP_AT_MOST_MS;
  let posts = 0;
  while (posts < WARM_UP && performance.now() < until)
    posts += (await ask<Posted>(field.poster, { ...field.order, seconds: 1 }, 120_000)).acknowledged;
  const tally = newTally();
  while (tally.count() < WARM_UP && performance.now() < until + WARM_UP_AT_MOST_MS)
    await deliverFor(field, 1, tally);
}

/** Counts from the first arrival on: what a node needs to take up merchants is no part of the rate. */
async function deliverFor(field: Field, seconds: number, tally: ReturnType<typeof newTally>): Promise<void> {
  const arrived = async () => (await askReceiver(field.receiver, {})).count;
  await arrived();
  await releaseBacklog(field.databaseUrl);
  const patience = performance.now() + FIRST_ARRIVAL_MS;
  while ((await arrived()) === 0) {
    if (performance.now() > patience)
      throw new Error("nothing arrives: the backlog is used up, or deliveries stall");
    await pause(10);
  }
  const measured = { pid: field.gatewayPid, databaseUrl: field.databaseUrl };
  const before = await readCpu(measured);
  await arrived();
  const started = performance.now();
  let [count, elapsed, silent] = [0, 0, 0];
  // After a second of silence nothing is left; that second is nobody's.
  while (elapsed < seconds && silent < 20) {
    await pause(50);
    const more = await arrived();
    silent = more === 0 ? silent + 1 : 0;
    if (more > 0) elapsed = (performance.now() - started) / 1_000;
    count += more;
  }
  tally.add(count, elapsed, cpuBetween(before, await readCpu(measured)));
  await holdBacklog(field.databaseUrl, field.shops);
  while ((await pause(QUIET_MS, true)) && (await arrived()) > 0);
}

export function askReceiver(receiver: Program, order: ReceiverOrder): Promise<Arrivals> {
  return ask<Arrivals>(receiver, order, 30_000);
}

function ask<Answer>(program: Program, order: object, withinMs: number): Promise<Answer> {
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
