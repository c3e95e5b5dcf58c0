import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "../support/calls.ts";
import { cloneDatabase } from "../support/database.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants } from "../support/invariants.ts";
import { NO_LIMITS } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { assertAnswers, type Field, isAnswer, RACES, type Race } from "../support/races.ts";
import { pick, seeded } from "../support/random.ts";
import { settle } from "../support/settle.ts";

const TRIALS = sized(12, 2_000);
/** Trials that run at the same time. */
const AT_ONCE = 3;
/** How many calls a trial makes at the same moment. */
const CALLS = [2, 2, 2, 3, 4, 8, 16, 50];
/** Calls start within this time, so that either side may come first. */
const SPREAD_MS = 15;

const proof = declareProof(
  "conflicting calls, 2 to 50 at the same moment, on two nodes: every pair of verbs that must not both win",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I13", "I21", "I22", "I24"],
);

async function runTrial(race: Race, field: Field, random: () => number): Promise<number> {
  const { verbs, check } = await race.prepare(field);
  const answers = verbs.map((): Answer[] => []);
  const offset = Math.floor(random() * verbs.length);
  const calls = Array.from({ length: Math.max(pick(random, CALLS), verbs.length) }, async (_, index) => {
    await pause(random() * SPREAD_MS);
    const kind = (index + offset) % verbs.length;
    const answer = await verbs[kind]?.(random() < 0.5 ? field.near : field.far);
    if (isAnswer(answer)) answers[kind]?.push(answer);
  });
  await Promise.all(calls);
  assertAnswers(answers.flat());
  await check(answers);
  return calls.length;
}

describe(`${TRIALS} races of each pair of conflicting verbs, on two nodes`, () => {
  for (const race of RACES) {
    test(race.name, async () => {
      const random = seeded(proofSeed);
      const database = await cloneDatabase();
      const nodes = await Promise.all([startGatewayProcess(database), startGatewayProcess(database)]);
      try {
        await database.rows(NO_LIMITS);
        const [near, far] = [nodes[0].shop, nodes[1].shop];
        let left = TRIALS;
        let requests = 0;
        const lane = async () => {
          while (left > 0) {
            const name = `trial-${left}`;
            left -= 1;
            requests += await runTrial(race, { database, near, far, name }, random);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, lane));
        proof.most({ "seconds to settle": await settle(database, Date.now()) });
        await assertInvariants(database);
        proof.count({ trials: TRIALS, "racing calls": requests });
      } finally {
        for (const node of nodes) await node.kill();
        await database.drop();
      }
    });
  }
});
