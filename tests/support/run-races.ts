import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "./calls.ts";
import type { Shop } from "./checkout.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { assertInvariants } from "./invariants.ts";
import { NO_LIMITS } from "./mixed-load.ts";
import { type Proof, proofSeed, sizedBy } from "./proof.ts";
import { assertAnswers, type Field, isAnswer, type Race } from "./race.ts";
import { pick, seeded } from "./random.ts";
import { settle } from "./settle.ts";

const TRIALS = sizedBy("TIDEGATE_PROOF_TRIALS", 12, 2_000);
/** The checker takes too long for many trials of all pairs in one database. */
const SHARED_TRIALS = 20;
/** So many show every outcome that a race declares. */
const ENOUGH_TRIALS = 100;
/** Trials that run at the same time; those with a lag wait for most of theirs. */
const AT_ONCE = { together: 3, lagging: 16 };
/** How many calls a trial makes at the same moment. */
const CALLS = [2, 2, 2, 3, 4, 8, 16, 50];
/** Calls start within this time, so that either side may come first. */
const SPREAD_MS = 15;

type Ran = { readonly calls: number; readonly outcome: string | undefined };

/** A node learns of another one's clock within this time. */
export const CLOCK_LAG_MS = 400;

export type RaceOptions = {
  /** Settings of the nodes. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of every race that has none of its own. */
  readonly lagMs?: number;
};

/** How much later each verb's calls start. */
function lagsOf(verbs: number, lagMs: number, random: () => number): readonly number[] {
  if (lagMs === 0) return [];
  const late = Math.floor(random() * verbs);
  const lag = lagMs * random();
  return Array.from({ length: verbs }, (_, kind) => (kind === late ? lag : 0));
}

async function runTrial(race: Race, field: Field, random: () => number, lagMs: number): Promise<Ran> {
  const { verbs, check } = await race.prepare(field);
  const answers = verbs.map((): Answer[] => []);
  const lags = lagsOf(verbs.length, lagMs, random);
  const offset = Math.floor(random() * verbs.length);
  const calls = Array.from({ length: Math.max(pick(random, CALLS), verbs.length) }, async (_, index) => {
    const kind = (index + offset) % verbs.length;
    await pause(random() * SPREAD_MS + (lags[kind] ?? 0));
    const answer = await verbs[kind]?.(random() < 0.5 ? field.near : field.far);
    if (isAnswer(answer)) answers[kind]?.push(answer);
  });
  await Promise.all(calls);
  assertAnswers(answers.flat());
  const outcome = await check(answers);
  return { calls: calls.length, outcome: typeof outcome === "string" ? outcome : undefined };
}

/** Declares the tests of a proof: every race many times on two nodes, then the invariants. */
export function testRaces(all: readonly Race[], proof: Proof, options: RaceOptions = {}): void {
  const shares: number[] = [];
  for (const races of TRIALS > SHARED_TRIALS ? all.map((race) => [race]) : [all])
    testTogether(races, proof, { ...options, shares });
  after(() => {
    if (shares.length > 0) proof.most({ "% of trials with the rarest outcome": Math.min(...shares) });
  });
}

/** The share of each outcome that the race declares, in percent. */
function sharesOf({ outcomes = [] }: Race, counts: Readonly<Record<string, number>>): readonly number[] {
  const missing = outcomes.filter((outcome) => counts[outcome] === undefined);
  assert.deepEqual(missing, [], `these outcomes never occurred: ${JSON.stringify(counts)}`);
  return outcomes.map((outcome) => Math.round((1_000 * (counts[outcome] ?? 0)) / TRIALS) / 10);
}

/** These races share a database and two nodes. */
function testTogether(
  races: readonly Race[],
  proof: Proof,
  { environment = {}, lagMs = 0, shares }: RaceOptions & { readonly shares: number[] },
): void {
  describe(`${TRIALS} races of each pair of conflicting verbs, on two nodes`, () => {
    let database: TestDatabase;
    let nodes: readonly GatewayProcess[] = [];
    before(async () => {
      database = await cloneDatabase();
      const node = await startGatewayProcess(database, undefined, environment);
      nodes = [node, await startGatewayProcess(database, undefined, environment)];
      await database.rows(NO_LIMITS);
    });
    after(async () => {
      for (const node of nodes) await node.kill();
      await database.drop();
    });

    for (const [number, race] of races.entries()) {
      test(race.name, async (t) => {
        const random = seeded(proofSeed);
        const [near, far] = nodes.map(({ shop }) => shop) as [Shop, Shop];
        let left = TRIALS;
        let requests = 0;
        const outcomes: Record<string, number> = {};
        const lane = async () => {
          while (left > 0) {
            const name = `race-${number}-trial-${left}`;
            left -= 1;
            const ran = await runTrial(
              race,
              { database, near, far, name },
              random,
              race.lagMs ?? lagMs,
            ).catch((error: unknown) => {
              left = 0;
              throw error;
            });
            requests += ran.calls;
            if (ran.outcome !== undefined) outcomes[ran.outcome] = (outcomes[ran.outcome] ?? 0) + 1;
          }
        };
        // All lanes end before the test does, also after a failure.
        const lanes = await Promise.allSettled(
          Array.from({ length: lagMs === 0 ? AT_ONCE.together : AT_ONCE.lagging }, lane),
        );
        for (const one of lanes) if (one.status === "rejected") throw one.reason;
        if (Object.keys(outcomes).length > 0) t.diagnostic(`${race.name}: ${JSON.stringify(outcomes)}`);
        if (TRIALS >= ENOUGH_TRIALS) shares.push(...sharesOf(race, outcomes));
        proof.count({ trials: TRIALS, "racing calls": requests });
      });
    }

    test("afterwards everything settles within a minute, and the invariants hold", async () => {
      proof.most({ "seconds to settle": await settle(database, Date.now()) });
      await assertInvariants(database);
    });
  });
}
