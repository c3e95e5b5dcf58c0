import { setTimeout as pause } from "node:timers/promises";
import { nextMessage, type Program } from "../stage/program.ts";
import type { Posted, PostOrder } from "./plain-posts.ts";
import type { Arrivals, ReceiverOrder } from "./receiver.ts";
import { type BenchShop, holdBacklog, releaseBacklog } from "./shops.ts";

/** Both take turns in slices, so that a noisy machine hits both alike. */
const TURNS = 5;
const QUIET_MS = 400;

export type Field = {
  readonly databaseUrl: string;
  readonly shops: readonly BenchShop[];
  readonly receiver: Program;
  readonly poster: Program;
  readonly order: Omit<PostOrder, "seconds">;
};

export type Rates = { readonly posts: number; readonly deliveries: number; readonly failed: number };

/** Deliveries a second out of what waits, and plain posts a second, for so many seconds each. */
export async function compareWithPosts(field: Field, seconds: number): Promise<Rates> {
  const { poster, order } = field;
  const slice = seconds / TURNS;
  const [posted, delivered] = [newTally(), newTally()];
  let failed = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const posts = await ask<Posted>(poster, { ...order, seconds: slice }, 120_000);
    posted.add(posts.acknowledged, posts.seconds);
    failed += posts.failed;
    await deliverFor(field, slice, delivered);
  }
  return { posts: posted.rate(), deliveries: delivered.rate(), failed };
}

/** Counts from the first arrival on: what a node needs to take up merchants is no part of the rate. */
async function deliverFor(field: Field, seconds: number, tally: ReturnType<typeof newTally>): Promise<void> {
  const arrived = async () => (await askReceiver(field.receiver, {})).count;
  await arrived();
  await releaseBacklog(field.databaseUrl);
  while ((await arrived()) === 0) await pause(10);
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
  tally.add(count, elapsed);
  await holdBacklog(field.databaseUrl, field.shops);
  while ((await pause(QUIET_MS, true)) && (await arrived()) > 0);
}

export function askReceiver(receiver: Program, order: ReceiverOrder): Promise<Arrivals> {
  return ask<Arrivals>(receiver, order, 30_000);
}

export function ask<Answer>(program: Program, order: object, withinMs: number): Promise<Answer> {
  const answer = nextMessage<Answer>(program, withinMs);
  program.child.send(order);
  return answer;
}

function newTally() {
  let [count, seconds] = [0, 0];
  return {
    add: (more: number, took: number) => {
      count += more;
      seconds += took;
    },
    rate: () => count / seconds,
  };
}
