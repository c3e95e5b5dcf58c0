import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startCommand } from "../support/command-line.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { openMerchants, startLoad } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { assertSound, SOUND, settle } from "../support/settle.ts";

const KILLS = sized(12, 2_000);
/** A new database after so many, so that the checker's cost stays bounded. */
const KILLS_EACH = 100;
const LANES = 6;
const NODES = 2;

const proof = declareProof(
  "kill -9 of random nodes while cards, debits, PayID transfers, captures, refunds, webhooks and vault rotations go on",
  [...SOUND, "I17"],
);

/** Kills nodes of one database, each replaced by a new one; then checks what is left. */
async function killNodes(kills: number, random: () => number): Promise<void> {
  const database = await cloneDatabase();
  const nodes: GatewayProcess[] = [];
  let next: Promise<GatewayProcess> | undefined;
  try {
    while (nodes.length < NODES) nodes.push(await startGatewayProcess(database));
    const first = (nodes[0] as GatewayProcess).shop;
    const merchants = await openMerchants(database, first, 3);
    const load = startLoad({ nodes: () => nodes.map(({ shop }) => shop), merchants, random, lanes: LANES });
    const { counts } = load.answered;
    let rotating = true;
    let rotations = 0;
    const rotation = (async () => {
      while (rotating) {
        const command = startCommand(database, ["vault", "rotate"]);
        if (random() < 0.3) {
          await pause(200 + random() * 1_500);
          command.kill();
          await command.ended;
        } else {
          const { code, stderr } = await command.ended;
          assert.equal(code, 0, stderr);
          rotations += 1;
        }
        await pause(2_000);
      }
    })();
    rotation.catch(() => {});
    for (let kill = 0; kill < kills; kill += 1) {
      next = startGatewayProcess(database);
      const enough = counts.payments + 1 + Math.floor(random() * 8);
      await eventually(
        "some payments are answered",
        async () => {
          load.check();
          return counts.payments >= enough;
        },
        60_000,
      );
      await pause(random() * 60);
      const [killed] = nodes.splice(Math.floor(random() * nodes.length), 1);
      await killed?.kill();
      nodes.push(await next);
      next = undefined;
    }
    const lastFaultAt = Date.now();
    await load.stop();
    rotating = false;
    await rotation;
    proof.most({ "seconds to settle": await settle(database, lastFaultAt) });
    const node = (nodes[0] as GatewayProcess).shop;
    await assertSound(database, load.answered, { merchants, node });
    assert.ok(rotations > 0, "no rotation completed");
    const { payments, requests, interrupted } = counts;
    proof.count({ kills, payments, requests, "interrupted steps": interrupted, rotations });
  } finally {
    await next?.then((node) => node.kill());
    for (const node of nodes) await node.kill();
    await database.drop();
  }
}

test(`${KILLS} kills of random nodes under mixed load lose nothing, and everything settles within a minute`, async () => {
  const random = seeded(proofSeed);
  for (let done = 0; done < KILLS; done += KILLS_EACH)
    await killNodes(Math.min(KILLS_EACH, KILLS - done), random);
});
