import assert from "node:assert/strict";
import { test } from "node:test";
import { cloneEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultRun, proveUnderLoad, type RunningNode } from "../support/fault-run.ts";
import { TEST_KEY } from "../support/gateway.ts";
import { checkOutLastRelease } from "../support/last-release.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";
import { spawnGateway } from "../support/spawned-gateway.ts";

const ROUNDS = sized(1, 10);
/** On a machine that is busy otherwise, too. */
const READY_WITHIN_MS = 180_000;

const proof = declareProof(
  "nodes are restarted one after the other, and replaced by a newer release across its migrations, under mixed load",
  SOUND,
);

type Node = RunningNode & { readonly stop: () => Promise<void> };

/** A node of this tree, or of a release in another folder. */
async function startNode({ url }: TestDatabase, folder?: string): Promise<Node> {
  const gateway = await spawnGateway({
    environment: {
      DATABASE_URL: url,
      TIDEGATE_LOG_LEVEL: "error",
      TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0",
    },
    ...(folder === undefined ? {} : { folder }),
    untilReady: false,
  });
  try {
    await eventually(
      "the node is ready",
      async () => {
        assert.ok(!gateway.hasEnded(), `the node exited: ${gateway.stderr()}`);
        return gateway.stdout().includes("Tidegate is ready");
      },
      READY_WITHIN_MS,
    );
  } catch (error) {
    await gateway.kill();
    throw error;
  }
  return {
    shop: { baseUrl: gateway.baseUrl, hostedUrl: gateway.hostedUrl, key: TEST_KEY },
    kill: gateway.kill,
    stop: async () => {
      gateway.signal("SIGTERM");
      const { code } = await gateway.exit;
      assert.equal(code, 0, gateway.stderr());
    },
  };
}

/** As a load balancer does: the node gets no new calls, finishes those that it has, and stops. */
async function drain({ nodes, load }: FaultRun, node: Node): Promise<void> {
  nodes.splice(nodes.indexOf(node), 1);
  await eventually(
    "no step uses the node any more",
    async () => {
      load.check();
      return !load.isUsing(node.shop);
    },
    120_000,
  );
  await node.stop();
}

/** Replaces every node by one that `start` makes, one after the other. */
async function replaceAll(run: FaultRun, start: () => Promise<Node>): Promise<number> {
  const before = [...run.nodes];
  for (const node of before) {
    run.nodes.push(await start());
    await run.untilPaid(5);
    await drain(run, node as Node);
    run.faultEnds();
    await run.untilPaid(5);
  }
  return before.length;
}

const interruptions: unknown[] = [];
const onInterruption = (error: unknown) => {
  interruptions.push(error);
};

test("a rolling restart interrupts no call", async () => {
  let restarts = 0;
  const options = { random: seeded(proofSeed), startNode, onInterruption };
  await proveUnderLoad(proof, options, async (run) => {
    await run.untilPaid(5);
    for (let round = 0; round < ROUNDS; round += 1)
      restarts += await replaceAll(run, () => startNode(run.database));
  });
  assert.deepEqual(interruptions, []);
  proof.count({ "rounds of rolling restarts": ROUNDS, "nodes restarted": restarts });
});

test("a rolling upgrade from the last release interrupts no call, across the migrations", async (t) => {
  const release = checkOutLastRelease();
  if ("reason" in release) {
    t.skip(proof.skip(release.reason));
    return;
  }
  const database = await cloneEmptyDatabase();
  try {
    const migrations = async () =>
      (await database.rows<{ count: number }>("select count(*)::int as count from schema_migrations"))[0]
        ?.count ?? 0;
    let [before, replaced] = [0, 0];
    const options = {
      random: seeded(proofSeed),
      database,
      startNode: (on: TestDatabase) => startNode(on, release.folder),
      onInterruption,
    };
    await proveUnderLoad(proof, options, async (run) => {
      before = await migrations();
      await run.untilPaid(10);
      replaced = await replaceAll(run, () => startNode(run.database));
    });
    assert.deepEqual(interruptions, []);
    const crossed = (await migrations()) - before;
    assert.ok(crossed > 0, "the upgrade crossed no migration");
    proof.count({ "rolling upgrades": 1, "nodes upgraded": replaced, "migrations crossed": crossed });
  } finally {
    await database.drop();
    release.remove();
  }
});
