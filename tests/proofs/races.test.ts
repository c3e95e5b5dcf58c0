import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "../support/calls.ts";
import type { Shop } from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants } from "../support/invariants.ts";
import { NO_LIMITS } from "../support/mixed-load.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
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
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11", "I13", "I21", "I22", "I24"],
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

/** Races that share a database and two nodes: all of the few of a short run; the checker takes too long for many. */
const GROUPS: readonly (readonly Race[])[] = isLong ? RACES.map((race) => [race]) : [RACES];

for (const races of GROUPS) {
  describe(`${TRIALS} races of each pair of conflicting verbs, on two nodes`, () => {
    let database: TestDatabase;
    let nodes: readonly GatewayProcess[] = [];
    before(async () => {
      database = await cloneDatabase();
      const node = await startGatewayProcess(database);
      nodes = [node, await startGatewayProcess(database)];
      await database.rows(NO_LIMITS);
    });
    after(async () => {
      for (const node of nodes) await node.kill();
      await database.drop();
    });

    for (const [number, race] of races.entries()) {
      test(race.name, async () => {
        const random = seeded(proofSeed);
        const [near, far] = nodes.map(({ shop }) => shop) as [Shop, Shop];
        let left = TRIALS;
        let requests = 0;
        const lane = async () => {
          while (left > 0) {
            const name = `race-${number}-trial-${left}`;
            left -= 1;
            requests += await runTrial(race, { database, near, far, name }, random).catch(
              (error: unknown) => {
                left = 0;
                throw error;
              },
            );
          }
        };
        // All lanes end before the test does, also after a failure.
        const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
        for (const one of lanes) if (one.status === "rejected") throw one.reason;
        proof.count({ trials: TRIALS, "racing calls": requests });
      });
    }

    test("afterwards everything settles within a minute, and the invariants hold", async () => {
      proof.most({ "seconds to settle": await settle(database, Date.now()) });
      await assertInvariants(database);
    });
  });
}
