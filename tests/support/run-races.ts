import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "./calls.ts";
import type { Shop } from "./checkout.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { assertInvariants } from "./invariants.ts";
import { NO_LIMITS } from "./mixed-load.ts";
import { keepContext } from "./operator.ts";
import { type Proof, proofSeed, sizedBy } from "./proof.ts";
import { assertAnswers, type Field, isAnswer, type Race } from "./race.ts";
import { seeded } from "./random.ts";
import { settle } from "./settle.ts";

const TRIALS = sizedBy("TIDEGATE_PROOF_TRIALS", 12, 2_000);
/** The checker takes too long for many trials of all pairs in one database. */
const SHARED_TRIALS = 20;
/** Pairs with databases and nodes of their own: one works while the other waits for its nodes or its settling. */
const PAIRS_AT_ONCE = 2;
/** So many show every outcome that a race declares. */
const ENOUGH_TRIALS = 100;
/** So many show how often the rarest outcome comes. */
const MANY_TRIALS = 1_000;
const RAREST_PERCENT = 1;
/** Trials of a pair that run at the same time; those with a lag wait for most of theirs. */
const AT_ONCE = { together: 3, lagging: 16 };
/**
 * How many calls the trials make at the same moment, in turn: six on average, 50 in every twentieth trial. The first
 * twelve, which are the short run, have each size.
 */
const CALLS = [2, 3, 50, 2, 4, 2, 8, 2, 16, 3, 2, 4, 2, 3, 2, 8, 2, 4, 2, 2];
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

type Way = { readonly random: () => number; readonly lagMs: number; readonly calls: number };

async function runTrial(race: Race, field: Field, { random, lagMs, calls: wanted }: Way): Promise<Ran> {
  const { verbs, check } = await race.prepare(field);
  const answers = verbs.map((): Answer[] => []);
  const lags = lagsOf(verbs.length, lagMs, random);
  const offset = Math.floor(random() * verbs.length);
  const calls = Array.from({ length: Math.max(wanted, verbs.length) }, async (_, index) => {
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
  const groups = TRIALS > SHARED_TRIALS ? all.map((race) => [race]) : [all];
  describe(`${TRIALS} races of each pair of conflicting verbs, on two nodes`, {
    concurrency: PAIRS_AT_ONCE,
  }, () => {
    for (const races of groups) testTogether(races, proof, { ...options, shares });
    after(() => {
      if (shares.length > 0) proof.most({ "% of trials with the rarest outcome": Math.min(...shares) });
    });
  });
}

/** The share of the rarest outcome that the race declares, in percent; every one must come often enough. */
function rarestOf(race: Race, counts: Readonly<Record<string, number>>): number | undefined {
  const { outcomes = [], rarestPercent = RAREST_PERCENT } = race;
  if (TRIALS < ENOUGH_TRIALS || outcomes.length === 0) return undefined;
  const least = TRIALS < MANY_TRIALS ? 1 : (TRIALS * rarestPercent) / 100;
  const rare = outcomes.filter((outcome) => (counts[outcome] ?? 0) < least);
  assert.deepEqual(rare, [], `these outcomes came less than ${least} times: ${JSON.stringify(counts)}`);
  const rarest = Math.min(...outcomes.map((outcome) => counts[outcome] ?? 0));
  return Math.round((1_000 * rarest) / TRIALS) / 10;
}

/** These races share a database and two nodes. */
function testTogether(
  races: readonly Race[],
  proof: Proof,
  { environment = {}, lagMs = 0, shares }: RaceOptions & { readonly shares: number[] },
): void {
  const title = races.length === 1 ? `${races[0]?.name}` : "all pairs";
  describe(title, { concurrency: 1 }, () => {
    let database: TestDatabase;
    let closeContext = async () => {};
    let nodes: readonly GatewayProcess[] = [];
    before(async () => {
      database = await cloneDatabase();
      closeContext = keepContext(database);
      const node = await startGatewayProcess(database, undefined, environment);
      nodes = [node, await startGatewayProcess(database, undefined, environment)];
      await database.rows(NO_LIMITS);
    });
    after(async () => {
      for (const node of nodes) await node.kill();
      await closeContext();
      await database.drop();
    });

    for (const [number, race] of races.entries()) {
      test(race.name, async (t) => {
        const random = seeded(proofSeed);
        const lag = race.lagMs ?? lagMs;
        const [near, far] = nodes.map(({ shop }) => shop) as [Shop, Shop];
        let begun = 0;
        let calls = 0;
        const counts: Record<string, number> = {};
        const lane = async () => {
          while (begun < TRIALS) {
            const way = { random, lagMs: lag, calls: CALLS[begun % CALLS.length] ?? 2 };
            begun += 1;
            const name = `race-${number}-trial-${begun}`;
            const ran = await runTrial(race, { database, near, far, name }, way).catch((error: unknown) => {
              begun = TRIALS;
              throw error;
            });
            calls += ran.calls;
            if (ran.outcome !== undefined) counts[ran.outcome] = (counts[ran.outcome] ?? 0) + 1;
          }
        };
        // All lanes end before the test does, also after a failure.
        const lanes = await Promise.allSettled(
          Array.from({ length: lag === 0 ? AT_ONCE.together : AT_ONCE.lagging }, lane),
        );
        for (const one of lanes) if (one.status === "rejected") throw one.reason;
        if (Object.keys(counts).length > 0) t.diagnostic(`${race.name}: ${JSON.stringify(counts)}`);
        const rarest = rarestOf(race, counts);
        if (rarest !== undefined) shares.push(rarest);
        proof.count({ trials: TRIALS, "racing calls": calls });
        proof.pairs([{ pair: race.name, trials: TRIALS, calls, ...(rarest !== undefined && { rarest }) }]);
      });
    }

    test("afterwards everything settles within a minute, and the invariants hold", async () => {
      proof.most({ "seconds to settle": await settle(database, Date.now()) });
      await assertInvariants(database);
    });
  });
}
