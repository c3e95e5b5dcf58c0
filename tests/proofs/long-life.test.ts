import assert from "node:assert/strict";
import { test } from "node:test";
import { advanceClock } from "../support/checkout.ts";
import { cloneDatabase } from "../support/database.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { type Answered, assertKept } from "../support/mixed-load/answered.ts";
import { openMerchants, startLoad } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { assertArrived, assertSound, SOUND, settle, signingKeyOf } from "../support/settle.ts";
import { assertFlat, readVitalSigns, type VitalSigns } from "../support/vital-signs.ts";

const HOURS = 24;
const PAYMENTS_AN_HOUR = sized(12, 250);
const HOUR_SECONDS = 3_600;

const proof = declareProof(
  "24 hours by the merchants' clocks in one run, with real load in each: the last quarter is like the first",
  [...SOUND, "I23"],
);

test("I23: after 24 simulated hours, memory, file handles, statements, tables and latencies are flat", async (t) => {
  const random = seeded(proofSeed);
  const database = await cloneDatabase();
  const proxy = await startDatabaseProxy(database.url, random);
  const node = await startGatewayProcess({ ...database, url: proxy.url });
  try {
    const merchants = await openMerchants(database, node.shop, 3);
    const signingKeys = new Map<string, string>();
    for (const merchant of merchants) signingKeys.set(merchant.id, await signingKeyOf(node.shop, merchant));
    const arrived = new Map<string, ReadonlySet<string>>();
    // Receivers keep bodies for an hour only; of all hours, the ids.
    const checkArrived = async () => {
      for (const merchant of merchants) {
        const { id, receiver } = merchant;
        const key = signingKeys.get(id) ?? "";
        arrived.set(id, await assertArrived(database, merchant, key, arrived.get(id)));
        receiver.clear();
      }
    };
    const signs: VitalSigns[] = [];
    const answered: Answered[] = [];
    for (let hour = 0; hour < HOURS; hour += 1) {
      const nodes = () => [node.shop];
      const load = startLoad({ nodes, merchants, random, lanes: 4, movesClocks: false });
      await eventually(
        "the hour's payments are answered",
        async () => {
          load.check();
          return load.answered.counts.payments >= PAYMENTS_AN_HOUR;
        },
        600_000,
      );
      await load.stop();
      answered.push(load.answered);
      await checkArrived();
      for (const { key } of merchants) await advanceClock({ ...node.shop, key }, HOUR_SECONDS);
      // An hour of a gateway has room for both; here it takes seconds.
      await node.collectGarbage();
      await database.rows("vacuum");
      const key = merchants[0]?.key ?? "";
      signs.push(await readVitalSigns({ ...node.shop, key }, { database, proxy }));
    }
    proof.most({ "seconds to settle": await settle(database, Date.now()) });
    for (const one of answered) await assertKept(database, one);
    await assertSound(database, answered.at(-1) as Answered, { merchants: [], node: node.shop });
    await checkArrived();
    const events = [...arrived.values()].reduce((sum, ids) => sum + ids.size, 0);
    const payments = answered.reduce((sum, { counts }) => sum + counts.payments, 0);
    const requests = answered.reduce((sum, { counts }) => sum + counts.requests, 0);
    proof.count({ "simulated hours": HOURS, payments, requests, "events received": events });
    const flat = assertFlat(signs);
    t.diagnostic(JSON.stringify(flat));
    proof.most(flat);
  } finally {
    await node.kill();
    await proxy.close();
    await database.drop();
  }
});

test("a figure that grows from the first quarter to the last is noticed", () => {
  const flat: VitalSigns = {
    ...{ heapMb: 60, residentMb: 250, fileHandles: 60, databaseConnections: 10, preparedStatements: 150 },
    ...{ createMs: 5, payMs: 30, createP95Ms: 15, payP95Ms: 60, tables: { events: 1_000_000 } },
  };
  const day = (last: Partial<VitalSigns>) =>
    Array.from({ length: HOURS }, (_, hour): VitalSigns => (hour < HOURS / 2 ? flat : { ...flat, ...last }));
  assert.equal(assertFlat(day({}))["p95 ms of a payment in the last quarter"], 60);
  // One of each: the compiler names what is missing.
  const grown: Readonly<Record<Exclude<keyof VitalSigns, "tables">, number>> = {
    ...{ heapMb: 67, residentMb: 345, fileHandles: 71, databaseConnections: 15, preparedStatements: 180 },
    ...{ createMs: 20, payMs: 70, createP95Ms: 55, payP95Ms: 145 },
  };
  for (const [name, value] of Object.entries(grown))
    assert.throws(() => assertFlat(day({ [name]: value })), new RegExp(`${name} grew`));
  const tableGrowingBy = (bytesAnHour: (hour: number) => number) => {
    let events = 1_000_000;
    return day({}).map((sign, hour): VitalSigns => {
      events += bytesAnHour(hour);
      return { ...sign, tables: { events } };
    });
  };
  assert.doesNotThrow(() => assertFlat(tableGrowingBy(() => 400_000)));
  const faster = tableGrowingBy((hour) => (hour < HOURS / 2 ? 400_000 : 800_000));
  assert.throws(() => assertFlat(faster), /events grew by 2000000 bytes in the first quarter, by 4000000/);
  const slowHours = day({}).map((sign, hour) => (hour % 2 === 0 ? sign : { ...sign, payP95Ms: 900 }));
  assert.doesNotThrow(() => assertFlat(slowHours));
});
