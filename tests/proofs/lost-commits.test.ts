import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
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

/** Whether the answer to the last of these statements is lost while every commit's is. */
async function isLost(url: string, ...statements: readonly string[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    for (const [index, text] of statements.entries())
      await client.query({ name: `statement ${index}`, text });
    return false;
  } catch (error) {
    assert.match(String(error), /Connection terminated/);
    return true;
  } finally {
    await client.end();
  }
}

test("only answers to commits that changed rows are lost", async () => {
  const database = await cloneDatabase();
  const proxy = await startDatabaseProxy(database.url, Math.random);
  const change = "update jobs set tries = tries + 1 where subject_id = 'one'";
  try {
    await database.rows("create table noted (what text)");
    proxy.loseCommits(1);
    const kept = [
      ["select what from noted"],
      ["begin", "select what from noted for update", "commit"],
      [change],
      ["begin", "insert into noted values ('undone')", "rollback"],
    ];
    for (const statements of kept) assert.equal(await isLost(proxy.url, ...statements), false, statements[0]);
    assert.equal(proxy.lost(), 0);
    const lost = [
      ["insert into noted values ('alone')"],
      ["with made as (insert into noted values ('in a part') returning what)\nselect what from made"],
      ["begin", "insert into noted values ('in a transaction')", "commit"],
      ["with changed as (\n  update noted set what = what returning 1)\nselect count(*) from changed"],
    ];
    for (const statements of lost) assert.equal(await isLost(proxy.url, ...statements), true, statements[0]);
    assert.equal(proxy.lost(), lost.length);
    assert.equal((await database.rows("select from noted")).length, 3, "the server has committed them");
  } finally {
    await proxy.close();
    await database.drop();
  }
});
