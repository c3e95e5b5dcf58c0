import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRunning, type FaultRun, proveUnderLoad } from "../support/fault-run.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { everyStatement } from "../support/merchant-scopes.ts";
import { startNewcomers } from "../support/newcomers.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";
import type { Point } from "../support/watched-context.ts";

/** How many payments show which points there are. */
const RECORDED_PAYMENTS = sized(60, 600);
/** The short run takes some points, the long one all of them; each once with every seed, on a new database. */
const POINTS = sized(12, Number.POSITIVE_INFINITY);
const SEEDS = Array.from({ length: sized(1, 3) }, (_, index) => proofSeed + index);
/** So many processes crash at the same time, and no other does their work: the next one recovers it. */
const CRASHING = 3;
/** Each has points of its own, so that no two crash at the same one; the last few points are everyone's. */
const LAST_FEW = 12;
/** The rarest point is reached within this time after the one before it, on a busy machine too. */
const REACHED_WITHIN_MS = 300_000;

const proof = declareProof(
  "kill -9 at every statement and connector call that mixed load reaches: before, uncommitted, committed, called, answered",
  SOUND,
);

/** More than that, and the load has lost something, or new statements are without load: extend `STEPS` of `mixed-load.ts`. */
const MOST_MISSED = 98;

const WRITES = /\binsert into\b|\bdelete from\b|(?<!\bfor\s+(?:no key\s+)?)\bupdate \w/i;

/** The statements that write, and those of them that none of these points belongs to. */
async function writesWithout(points: Iterable<Point>) {
  const interrupted = new Set([...points].map((point) => point.slice(0, point.lastIndexOf(":"))));
  const writing = (await everyStatement()).filter(({ text }) => WRITES.test(text));
  const names = [...new Set(writing.map(({ name }) => name))].sort();
  return { all: names.length, missed: names.filter((name) => !interrupted.has(name)) };
}

/** Starts nodes that crash at the first of the points that they pass, until every point has been reached. */
async function crashAtAll(
  points: readonly Point[],
  start: (left: readonly Point[]) => Promise<GatewayProcess>,
  { nodes, load, faultEnds }: Pick<FaultRun, "nodes" | "load" | "faultEnds">,
): Promise<{ readonly reached: ReadonlySet<Point>; readonly crashes: number }> {
  const left = new Set(points);
  const reached = new Set<Point>();
  let crashes = 0;
  let lastReached = Date.now();
  const takenBy = (process: number) => {
    const own = points.filter((point, index) => index % CRASHING === process && left.has(point));
    return own.length === 0 || left.size <= LAST_FEW ? [...left] : own;
  };
  const crashOneAfterAnother = async (process: number) => {
    while (left.size > 0) {
      const taken = takenBy(process);
      const node = await start(taken);
      nodes.push(node);
      try {
        while (!node.hasEnded() && taken.some((point) => left.has(point))) {
          load.check();
          if (Date.now() - lastReached > REACHED_WITHIN_MS)
            assert.fail(`not reached: ${[...left].sort().join(", ")}`);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        const point = node.crashedAt();
        if (point === undefined) {
          // Others have reached its points.
          assertRunning([node]);
          continue;
        }
        crashes += 1;
        reached.add(point);
        if (left.delete(point)) lastReached = Date.now();
      } finally {
        nodes.splice(nodes.indexOf(node), 1);
        await node.kill();
        faultEnds();
      }
    }
  };
  // All have ended before the first failure counts: no process starts after it.
  const outcomes = await Promise.allSettled(
    Array.from({ length: CRASHING }, (_, process) => crashOneAfterAnother(process)),
  );
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return { reached, crashes };
}

test("a node that is killed at any point of its work leaves nothing unsettled and nothing lost", async (t) => {
  let found: readonly Point[] = [];
  let crashes = 0;
  /** How many seeds have reached each point. */
  const reached = new Map<Point, number>();
  let taken = 0;
  const missing: (readonly string[])[] = [];
  for (const seed of SEEDS) {
    const random = seeded(seed);
    const recording: GatewayProcess[] = [];
    const options = {
      random,
      lanes: 6,
      // Its nodes crash all the time, which interrupts most of what takes long.
      isPart: true,
      startNode: async (on: Parameters<typeof startGatewayProcess>[0]) => {
        const node = await startGatewayProcess(on, undefined, { REPORT_POINTS: "1" });
        recording.push(node);
        return node;
      },
    };
    const part = await proveUnderLoad(proof, options, async (run) => {
      const { database, nodes, others, untilPaid } = run;
      const [first, second] = recording as [GatewayProcess, GatewayProcess];
      if (found.length === 0) {
        // Only the second node's: the first one also fills an empty database and opens the merchants.
        nodes.splice(nodes.indexOf(first), 1);
        await first.kill();
        await untilPaid(RECORDED_PAYMENTS);
        found = [...second.points].sort();
        assert.ok(found.length > 300, `only ${found.length} points`);
      }
      for (const node of nodes.splice(0)) await node.kill();
      const newcomers = startNewcomers(database, nodes, random);
      const points = shuffle(found, random).slice(0, POINTS);
      const crashed = await crashAtAll(
        points,
        (left) =>
          startGatewayProcess(database, left.join(" "), {
            CRASH_AFTER: String(left.length > 5 ? Math.floor(random() * 3) : 0),
          }),
        run,
      ).catch(async (error: unknown) => {
        // Steps that repeat a call until it is answered end with it.
        nodes.push(await startGatewayProcess(database));
        await newcomers.stop().catch(() => {});
        throw error;
      });
      taken = points.length;
      crashes += crashed.crashes;
      for (const point of crashed.reached) reached.set(point, (reached.get(point) ?? 0) + 1);
      nodes.push(...(await Promise.all([startGatewayProcess(database), startGatewayProcess(database)])));
      others.push(...(await newcomers.stop()));
    });
    missing.push(part.missing);
  }
  const [first = [], ...others] = missing;
  assert.deepEqual(
    first.filter((kind) => others.every((part) => part.includes(kind))),
    [],
    "not done in any part",
  );
  const reachedByAll = [...reached.values()].filter((seeds) => seeds === SEEDS.length).length;
  assert.equal(reachedByAll, taken, "points that every seed reached");
  // The long run takes every point that was found.
  const { all, missed } = await writesWithout(found);
  t.diagnostic(`${missed.length} of ${all} writing statements have no crash point: ${missed.join(", ")}`);
  if (isLong)
    assert.ok(missed.length <= MOST_MISSED, `${missed.length} writing statements have no crash point`);
  proof.most({ "writing statements": all, "writing statements without a crash point": missed.length });
  proof.count({ "crash points": found.length, "crash points reached": reached.size, kills: crashes });
});

function shuffle(points: readonly Point[], random: () => number): readonly Point[] {
  return points
    .map((point) => [random(), point] as const)
    .sort(([one], [other]) => one - other)
    .map(([, point]) => point);
}
