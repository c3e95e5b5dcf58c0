import assert from "node:assert/strict";
import { test } from "node:test";
import { cloneDatabase } from "../support/database.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { type FaultRun, proveUnderLoad } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const LOST = sized(40, 400);
/** A new database after so many, so that the checker's cost stays bounded. */
const LOST_EACH = 500;
/** Of each answer to a commit. */
const PROBABILITY = 0.02;

const proof = declareProof("the database commits under mixed load, and its answer is lost on the way", SOUND);

/** Returns how many steps were interrupted. */
async function loseCommits(count: number, random: () => number): Promise<number> {
  const database = await cloneDatabase();
  const proxy = await startDatabaseProxy(database.url, random);
  try {
    const startNode = () => startGatewayProcess({ ...database, url: proxy.url });
    const inject = async ({ untilPaid, faultEnds }: FaultRun) => {
      await untilPaid(5);
      proxy.loseCommits(PROBABILITY);
      while (proxy.lost() < count) await untilPaid(2);
      proxy.loseCommits(0);
      faultEnds();
      await untilPaid(5);
    };
    const { interrupted } = await proveUnderLoad(proof, { random, database, startNode }, inject);
    assert.ok(proxy.lost() >= count);
    proof.count({ "lost commit answers": proxy.lost() });
    return interrupted;
  } finally {
    await proxy.close();
    await database.drop();
  }
}

test(`${LOST} lost answers to commits lose and double nothing`, async () => {
  const random = seeded(proofSeed);
  let interrupted = 0;
  for (let done = 0; done < LOST; done += LOST_EACH)
    interrupted += await loseCommits(Math.min(LOST_EACH, LOST - done), random);
  if (isLong) assert.ok(interrupted > 0, "answers to commits were lost, and no step met it");
});
