import assert from "node:assert/strict";
import { test } from "node:test";
import { queryObjects } from "node:v8";
import { eventually } from "../../../tests/support/eventually.ts";
import type { Context } from "../context.ts";
import { startChores } from "./chores.ts";
import type { Chore } from "./job.ts";

const CHORES = 50;
const ROUNDS = 400;

test("a chore that waits again and again leaves nothing in memory", async () => {
  let rounds = 0;
  const run = async () => {
    rounds += 1;
    return "done" as const;
  };
  const chores = Array.from({ length: CHORES }, (_, n): Chore => ({ name: `chore ${n}`, everyMs: 0, run }));
  const running = startChores({ now: Date.now } as unknown as Context, chores);
  const promisesAfter = async (wanted: number) => {
    await eventually(`${wanted} rounds`, async () => rounds >= wanted);
    return queryObjects(Promise, { format: "count" });
  };
  const before = await promisesAfter(2 * CHORES);
  const after = await promisesAfter(2 * CHORES + ROUNDS);
  await running.stop();
  // A wait that is never forgotten keeps a promise at least.
  assert.ok(after - before < ROUNDS / 4, `${after - before} more promises after ${ROUNDS} waits`);
});

test("chores stop at once, also while they wait", async () => {
  let isBegun = false;
  const run = async () => {
    isBegun = true;
    return "done" as const;
  };
  const day = { name: "once a day", everyMs: 86_400_000, run };
  const running = startChores({ now: Date.now } as unknown as Context, [day]);
  await eventually("it has run", async () => isBegun);
  await running.stop();
});
