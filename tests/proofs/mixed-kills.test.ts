import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startCommand } from "../support/command-line.ts";
import type { TestDatabase } from "../support/database.ts";
import { assertRunning, proveUnderLoad, type RunningNode } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const KILLS = sized(12, 2_000);
/** A new database after so many, so that the checker's cost stays bounded. */
const KILLS_EACH = 1_000;
/** So many are killed at about the same time, while as many others serve and as many start. */
const AT_ONCE = 2;
const APART_MS = 60;
/** Two for each node that is killed, one of which may wait for a dispute: most kills meet a call. */
const LANES = 4;
const MOST_PAYMENTS_BETWEEN = 4;
/** After most kills the load waits for the next nodes: all lanes are busy again when the next kills come. */
const HELD = 0.75;
/** If a step fails, the logs of so many nodes are shown: most of them have been killed by then. */
const NOTED = 12;
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
function startRotations(database: TestDatabase, random: () => number, faultEnds: () => void) {
  let running = true;
  const rotate = async () => {
    let completed = 0;
    while (running || completed === 0) {
      const command = startCommand(database, ["vault", "rotate"]);
      if (running && random() < 0.3) {
        await pause(200 + random() * 1_500);
        command.kill();
        await command.ended;
        faultEnds();
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
    /** The rotation that goes on is the last one. */
    end: () => {
      running = false;
    },
    ended: rotating,
  };
}

/** Returns how many steps were interrupted. */
async function killNodes(kills: number, random: () => number): Promise<number> {
  let rotations: ReturnType<typeof startRotations> | undefined;
  const afterwards = async (database: TestDatabase) => {
    proof.count({ rotations: (await rotations?.ended) ?? 0 });
    await rotateToTheEnd(database);
  };
  const { interrupted } = await proveUnderLoad(
    proof,
    { random, lanes: LANES, afterwards },
    async ({ database, nodes, load, untilPaid, faultEnds }) => {
      rotations = startRotations(database, random, faultEnds);
      const starting: Promise<RunningNode>[] = [];
      const latest: RunningNode[] = [];
      const start = () => {
        const node = startGatewayProcess(database);
        node.catch(() => {});
        starting.push(node);
      };
      const killOne = async () => {
        await pause(random() * APART_MS);
        const [killed] = nodes.splice(Math.floor(random() * nodes.length), 1);
        assert.ok(killed);
        assertRunning([killed]);
        await killed.kill();
        faultEnds();
      };
      for (let node = 0; node < AT_ONCE; node += 1) start();
      try {
        for (let kill = 0; kill < kills; kill += AT_ONCE) {
          // The next nodes have started before these are killed: twice as many as are killed.
          const started = await Promise.all(starting.splice(0));
          nodes.push(...started);
          latest.push(...started);
          latest.splice(0, latest.length - NOTED);
          for (let node = 0; node < AT_ONCE; node += 1) start();
          await untilPaid(1 + Math.floor(random() * MOST_PAYMENTS_BETWEEN));
          await Promise.all(Array.from({ length: AT_ONCE }, killOne));
          if (random() < HELD) load.hold(Promise.all(starting));
        }
      } catch (error) {
        const logs = latest.map(({ log }) => log?.()).filter((log) => log !== undefined && log !== "");
        throw new Error(`what the latest nodes logged: ${logs.join("\n")}`, { cause: error });
      } finally {
        rotations.end();
        for (const node of starting) nodes.push(await node);
      }
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
  if (isLong) assert.ok(interrupted >= KILLS / 2, `${KILLS} kills interrupted only ${interrupted} steps`);
});
