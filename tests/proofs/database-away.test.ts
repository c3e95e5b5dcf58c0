import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { callApi } from "../support/checkout.ts";
import { cloneDatabase } from "../support/database.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
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
          proxy.set(state);
          const probes: Promise<void>[] = [];
          const until = Date.now() + AWAY_MS;
          while (Date.now() < until) {
            for (const { shop } of nodes) probes.push(assertUnavailable(shop));
            await pause(1_000);
          }
          proxy.set("pass");
          faultEnds();
          await Promise.all(probes);
          proof.count({ outages: 1, "calls answered during outages": probes.length });
          await untilPaid(10);
        },
      );
    } finally {
      await proxy.close();
      await database.drop();
    }
  });
}

async function assertUnavailable(shop: Parameters<typeof callApi>[0]): Promise<void> {
  const sentAt = Date.now();
  const { status } = await callApi(shop, "GET", "/paymentrequests");
  // The database may be back before the call is answered.
  assert.ok(status === 503 || status === 200, String(status));
  const waited = Date.now() - sentAt;
  assert.ok(waited < ANSWERED_WITHIN_MS, `a call waited for ${waited} ms`);
  proof.most({ "slowest answer in ms": waited });
}
