import assert from "node:assert/strict";
import { test } from "node:test";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { openMerchants, startLoad } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";
import type { Point } from "../support/watched-context.ts";

/** How many payments show which points there are. */
const RECORDED_PAYMENTS = sized(60, 400);
/** The short run takes some points, the long one all of them, so often each. */
const POINTS = sized(12, Number.POSITIVE_INFINITY);
const TIMES_EACH = sized(1, 2);
/** A new database after so many, so that the checker's cost stays bounded. */
const CRASHES_EACH = 50;
/** A node that has not reached its point by then is replaced. */
const REACHED_WITHIN_MS = 12_000;
/** Some points are rare. */
const REACHED_SHARE = 0.25;

const proof = declareProof(
  "kill -9 at every statement and connector call that mixed load reaches: before, uncommitted, committed, called, answered",
  SOUND,
);

/** Runs mixed load on a node that reports the points of its work. */
async function findPoints(random: () => number): Promise<readonly Point[]> {
  const database = await cloneDatabase();
  const node = await startGatewayProcess(database, undefined, { REPORT_POINTS: "1" });
  try {
    const merchants = await openMerchants(database, node.shop, 2);
    const load = startLoad({ nodes: () => [node.shop], merchants, random, lanes: 6 });
    await eventually(
      "enough payments show the points",
      async () => {
        load.check();
        return load.answered.counts.payments >= RECORDED_PAYMENTS;
      },
      300_000,
    );
    await load.stop();
    return [...node.points].sort();
  } finally {
    await node.kill();
    await database.drop();
  }
}

test("a node that is killed at any point of its work leaves nothing unsettled and nothing lost", async () => {
  const random = seeded(proofSeed);
  const found = await findPoints(random);
  assert.ok(found.length > 100, `only ${found.length} points`);
  const shuffled = found
    .map((point) => [random(), point] as const)
    .sort(([one], [other]) => one - other)
    .map(([, point]) => point);
  const chosen = Array.from({ length: TIMES_EACH }, () => shuffled.slice(0, POINTS)).flat();
  const reached = new Set<Point>();
  let crashes = 0;
  for (let done = 0; done < chosen.length; done += CRASHES_EACH) {
    await proveUnderLoad(proof, { random, lanes: 4 }, async ({ database, nodes, load }) => {
      for (const point of chosen.slice(done, done + CRASHES_EACH)) {
        const passes = String(Math.floor(random() * 3));
        // It recovers what the one before it left, and crashes itself.
        const node = await startGatewayProcess(database, point, { CRASH_AFTER: passes });
        // All load goes there; the others do timed work and recoveries meanwhile.
        const others = nodes.splice(0);
        nodes.push(node);
        const until = Date.now() + REACHED_WITHIN_MS;
        await eventually(
          `${point} is reached, or its time is over`,
          async () => {
            load.check();
            return node.hasEnded() || Date.now() > until;
          },
          2 * REACHED_WITHIN_MS,
        );
        nodes.splice(0, nodes.length, ...others);
        if (node.hasEnded()) {
          reached.add(point);
          crashes += 1;
        }
        await node.kill();
      }
    });
  }
  proof.count({ "crash points": found.length, "crash points reached": reached.size, kills: crashes });
  assert.ok(
    reached.size >= (chosen.length / TIMES_EACH) * REACHED_SHARE,
    `${reached.size} of ${chosen.length} points reached`,
  );
});
