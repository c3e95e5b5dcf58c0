import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startCommand } from "../support/command-line.ts";
import type { TestDatabase } from "../support/database.ts";
import { proveUnderLoad, type RunningNode } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const KILLS = sized(12, 2_000);
/** A new database after so many, so that the checker's cost stays bounded. */
const KILLS_EACH = 250;
/** Nodes that start while others are killed: a start takes longer than the payments between two kills. */
const STARTING = 2;
/** Little enough that nodes start quickly beside it. */
const LANES = 2;
/** After most kills the load waits for the next node: all lanes are busy again when the next kill comes. */
const HELD = 0.75;
const BETWEEN_ROTATIONS_MS = 8_000;

const proof = declareProof(
  "kill -9 of random nodes while cards, debits, PayID transfers, captures, refunds, webhooks and vault rotations go on",
  [...SOUND, "I17"],
);

/** Every merchant's key that is in use, or was. */
const KEYS = "select id from vault_keys where merchant_id is not null";
/** What of some keys is left: the key itself, numbers under it, or a key that a rotation has not finished. */
const LEFT = `
  select 'key ' || id as left from vault_keys where id = any ($1) and wrapped is not null
  union all select 'number of ' || instrument_id from vault_secrets where key_id = any ($1)
  union all select 'unfinished ' || id from vault_keys where outgoing_at is not null and destroyed_at is null`;

/** One more rotation, under the same load: it resumes what killed ones left, and leaves nothing on any earlier key. */
async function rotateToTheEnd(database: TestDatabase): Promise<void> {
  // A rotation that was killed has keys which are already outgoing; this one completes it, and the next begins anew.
  for (const attempt of ["resumed", "whole"]) {
    const earlier = (await database.rows<{ id: string }>(KEYS)).map(({ id }) => id);
    const { code, stderr } = await startCommand(database, ["vault", "rotate"]).ended;
    assert.equal(code, 0, stderr);
    if (attempt === "resumed") continue;
    assert.ok(earlier.length > 0);
    assert.deepEqual(await database.rows(LEFT, [earlier]), [], "left on an earlier key");
  }
}

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
      if (running) await pause(BETWEEN_ROTATIONS_MS);
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

/** Returns how many steps were interrupted. */
async function killNodes(kills: number, random: () => number): Promise<number> {
  const { interrupted } = await proveUnderLoad(
    proof,
    { random, lanes: LANES },
    async ({ database, nodes, load, untilPaid, faultEnds }) => {
      const rotations = startRotations(database, random);
      const starting: Promise<RunningNode>[] = [];
      const start = () => {
        const node = startGatewayProcess(database);
        node.catch(() => {});
        starting.push(node);
      };
      for (let node = 0; node < STARTING; node += 1) start();
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          // The next node has started before this one is killed: there are two nodes or more at any time.
          const next = await starting.shift();
          start();
          await untilPaid(1 + Math.floor(random() * 8));
          await pause(random() * 60);
          const [killed] = nodes.splice(Math.floor(random() * nodes.length), 1);
          if (next !== undefined) nodes.push(next);
          await killed?.kill();
          faultEnds();
          if (random() < HELD) load.hold(Promise.all(starting.slice(0, 1)));
        }
      } finally {
        for (const node of starting) nodes.push(await node);
        proof.count({ rotations: await rotations.stop() });
      }
      await rotateToTheEnd(database);
    },
  );
  proof.count({ kills });
  return interrupted;
}

test(`${KILLS} kills of random nodes under mixed load lose nothing, and everything settles within a minute`, async () => {
  const random = seeded(proofSeed);
  let interrupted = 0;
  for (let done = 0; done < KILLS; done += KILLS_EACH)
    interrupted += await killNodes(Math.min(KILLS_EACH, KILLS - done), random);
  if (isLong) assert.ok(interrupted > 0, "nodes were killed, and no step met it");
});
