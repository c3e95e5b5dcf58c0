import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { assertRefused } from "../support/answers.ts";
import type { Answer } from "../support/calls.ts";
import { callApi, type Shop } from "../support/checkout.ts";
import { cloneDatabase } from "../support/database.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { SOUND } from "../support/settle.ts";

const AWAY_MS = sized(8_000, 60_000);
/** A caller gets its 503 by then: a statement's own limit is ten seconds, that of a new connection five. */
const ANSWERED_WITHIN_MS = 30_000;

const proof = declareProof(
  "the database is away under mixed load: nothing listens, then packets vanish without a word",
  [...SOUND, "I20"],
);

for (const state of ["refuse", "hang"] as const) {
  test(`while the database is away (${state}), calls get 503, and afterwards the nodes go on without a restart`, async () => {
    const random = seeded(proofSeed);
    const database = await cloneDatabase();
    const proxy = await startDatabaseProxy(database.url, random);
    try {
      const startNode = () => startGatewayProcess({ ...database, url: proxy.url });
      await proveUnderLoad(
        proof,
        { random, database, startNode },
        async ({ nodes, untilPaid, faultEnds }) => {
          await untilPaid(10);
          const outage = { isOver: false };
          proxy.set(state);
          const probes: Promise<boolean>[] = [];
          const until = Date.now() + AWAY_MS;
          while (Date.now() < until) {
            for (const { shop } of nodes) {
              for (const ask of NEEDING_THE_DATABASE) probes.push(probe(() => ask(shop), outage));
              assert.equal((await callApi(shop, "GET", "/healthz")).status, 200);
            }
            await pause(1_000);
          }
          outage.isOver = true;
          proxy.set("pass");
          faultEnds();
          const meanwhile = (await Promise.all(probes)).filter((wasAnswered) => wasAnswered);
          assert.ok(meanwhile.length > 0, "no call was answered during the outage");
          proof.count({ outages: 1, "calls answered during outages": meanwhile.length });
          await untilPaid(10);
        },
      );
    } finally {
      await proxy.close();
      await database.drop();
    }
  });
}

const NEEDING_THE_DATABASE: readonly ((shop: Shop) => Promise<Answer>)[] = [
  (shop) => callApi(shop, "GET", "/paymentrequests"),
  (shop) => callApi(shop, "GET", "/readyz"),
  (shop) => callApi(shop, "POST", "/paymentrequests", CHECKOUT),
];

/** Asserts that a call gets 503 during the outage, and whether it was answered by then. */
async function probe(ask: () => Promise<Answer>, outage: { readonly isOver: boolean }): Promise<boolean> {
  const sentAt = Date.now();
  const answer = await ask();
  const wasAnswered = !outage.isOver;
  // A call that is answered later may have found the database again.
  if (wasAnswered || answer.status !== 200) {
    assertRefused(answer, 503, "S10001");
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  }
  const waited = Date.now() - sentAt;
  assert.ok(waited < ANSWERED_WITHIN_MS, `a call waited for ${waited} ms`);
  proof.most({ "slowest answer in ms": waited });
  return wasAnswered;
}
