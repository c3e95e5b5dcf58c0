import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startCommand } from "../support/command-line.ts";
import type { TestDatabase } from "../support/database.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const KILLS = sized(12, 2_000);
/** A new database after so many, so that the checker's cost stays bounded. */
const KILLS_EACH = 100;

const proof = declareProof(
  "kill -9 of random nodes while cards, debits, PayID transfers, captures, refunds, webhooks and vault rotations go on",
  [...SOUND, "I17"],
);

/** Rotates the vault's keys again and again; some rotations are killed, and the next one resumes them. */
function startRotations(database: TestDatabase, random: () => number) {
  let running = true;
  const rotate = async () => {
    let completed = 0;
    while (running || completed === 0) {
      const command = startCommand(database, ["vault", "rotate"]);
      if (running && random() < 0.3) {
        await pause(200 + random() * 1_500);
        command.kill();
        await command.ended;
      } else {
        const { code, stderr } = await command.ended;
        assert.equal(code, 0, stderr);
        completed += 1;
      }
      if (running) await pause(2_000);
    }
    return completed;
  };
  const rotating = rotate();
  rotating.catch(() => {});
  return {
    stop: () => {
      running = false;
      return rotating;
    },
  };
}

async function killNodes(kills: number, random: () => number): Promise<void> {
  await proveUnderLoad(proof, { random }, async ({ database, nodes, untilPaid }) => {
    const rotations = startRotations(database, random);
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        // The next node starts before this one is killed: there are two nodes or more at any time.
        const next = startGatewayProcess(database);
        await Promise.all([next, untilPaid(1 + Math.floor(random() * 8))]);
        await pause(random() * 60);
        const [killed] = nodes.splice(Math.floor(random() * nodes.length), 1);
        nodes.push(await next);
        await killed?.kill();
      }
    } finally {
      proof.count({ rotations: await rotations.stop() });
    }
  });
  proof.count({ kills });
}

test(`${KILLS} kills of random nodes under mixed load lose nothing, and everything settles within a minute`, async () => {
  const random = seeded(proofSeed);
  for (let done = 0; done < KILLS; done += KILLS_EACH)
    await killNodes(Math.min(KILLS_EACH, KILLS - done), random);
});
