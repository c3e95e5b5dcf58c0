import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type FaultRun, proveUnderLoad } from "../support/fault-run.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const KILLS = sized(3, 50);

const proof = declareProof(
  "kill -9 of the database under mixed load; it restarts, and the nodes go on without a restart",
  SOUND,
);

test(`${KILLS} kills of the database lose nothing that was answered, and no node restarts`, async () => {
  const random = seeded(proofSeed);
  const server = await startOwnPostgres();
  const { database } = server;
  try {
    const inject = async ({ untilPaid, faultEnds }: FaultRun) => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await untilPaid(3 + Math.floor(random() * 10));
        await pause(random() * 60);
        await server.kill();
        await server.untilBack();
        faultEnds();
      }
      // The nodes answer again.
      await untilPaid(10);
    };
    const { interrupted } = await proveUnderLoad(proof, { random, database }, inject);
    if (isLong) assert.ok(interrupted > 0, "the database was killed, and no step met it");
    proof.count({ "database kills": KILLS });
  } finally {
    await server.stop();
  }
});
