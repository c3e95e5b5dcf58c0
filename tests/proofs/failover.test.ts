import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { callsTo } from "../support/calls.ts";
import type { TestDatabase } from "../support/database.ts";
import { assertReceived } from "../support/delivery-invariants.ts";
import { eventually } from "../support/eventually.ts";
import { type Cluster, missingPrograms, startCluster } from "../support/failover/cluster.ts";
import { type Load, startLoad } from "../support/failover/load.ts";
import { TEST_KEY } from "../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { linesOf } from "../support/guide-blocks.ts";
import { findBesideHost } from "../support/iso-host/find-beside-host.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { startIsoHost } from "../support/iso-host/iso-host.ts";
import { compareLedgers, listOpen } from "../support/iso-host/kill-payments.ts";
import { makeMerchant } from "../support/operator.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { SOUND, settle } from "../support/settle.ts";

/** What docs/guides/high-availability.md promises, on the files of deploy/high-availability. */
const KILLS = sized(3, 30);
/** Freezes and switchovers, beside the kills. */
const OTHERS = sized(1, 3);
/** Payments between two faults, so that each fault meets payments in all stages. */
const PAYMENTS_BETWEEN = 12;
/** Lists between a failover and the look at who answered them. */
const LISTS_AFTER = 6;
/** The standby's next restartpoint begins within 30 seconds here, and its first page is enough. */
const READ_AGAIN_WITHIN_MS = 90_000;
/** Beyond what I21 bounds: the bank confirms reversals, and endpoints have every event. */
const ENDS_WITHIN_MS = 180_000;

const [SWITCHOVER = assert.fail()] = await linesOf(
  "docs/guides/high-availability.md",
  "tests/proofs/failover.test.ts",
);

/** Each kind of fault, and how the page counts it. */
const COUNTED = {
  "machine killed": "machines killed",
  "PostgreSQL killed": "PostgreSQL servers killed",
  "machine frozen": "machines frozen",
  switchover: "switchovers",
} as const;

type Kind = keyof typeof COUNTED;

const FAULTS: readonly Kind[] = [
  ...Array.from(
    { length: KILLS },
    (_, index): Kind => (index % 3 === 2 ? "PostgreSQL killed" : "machine killed"),
  ),
  ...Array.from({ length: OTHERS }, (): Kind => "machine frozen"),
  ...Array.from({ length: OTHERS }, (): Kind => "switchover"),
];

function connect(url: string): TestDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => {});
  return {
    url,
    rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
    drop: () => pool.end(),
  };
}

/** Does one fault to the primary. Returns what brings its machine back. */
async function strike(cluster: Cluster, kind: Kind): Promise<() => void> {
  const primary = await cluster.primary();
  if (kind === "machine frozen") {
    cluster.freeze(primary);
    // Its watchdog resets it.
    return () => {
      cluster.killMachine(primary);
      cluster.restart(primary);
    };
  }
  if (kind === "machine killed") {
    cluster.killMachine(primary);
    return () => cluster.restart(primary);
  }
  if (kind === "PostgreSQL killed") cluster.killPostgres(primary);
  else await cluster.switchOver(SWITCHOVER);
  return () => {};
}

/** Milliseconds until every node has made a payment request that was sent after the fault. */
async function untilWritable(nodes: readonly GatewayProcess[], from: number): Promise<number> {
  const until = async ({ shop }: GatewayProcess) => {
    await eventually(
      "the node writes again",
      async () => {
        const { status } = await callsTo(shop.baseUrl).post("/paymentrequests", CHECKOUT);
        if (status === 200) return true;
        assert.equal(status, 503);
        await setTimeout(100);
        return false;
      },
      180_000,
    );
    return performance.now() - from;
  };
  return Math.round(Math.max(...(await Promise.all(nodes.map(until)))));
}

/** Statements of lists that the standby and, in its place, the primary has answered, at all nodes. */
async function readAnswered(nodes: readonly GatewayProcess[]) {
  const pages: string[] = [];
  for (const { shop } of nodes) pages.push((await callsTo(shop.baseUrl).get("/metrics")).body);
  const by = (server: string) => {
    const line = new RegExp(`^tidegate_replica_statements_total\\{server="${server}"\\} (\\d+)$`, "m");
    return pages.reduce((sum, page) => sum + Number(line.exec(page)?.[1] ?? assert.fail(page)), 0);
  };
  return { replica: by("replica"), primary: by("primary") };
}

/** Waits until the standby answers lists again. Returns how many seconds that took. */
async function untilReadAgain(nodes: readonly GatewayProcess[]): Promise<number> {
  const from = performance.now();
  const { replica } = await readAnswered(nodes);
  await eventually(
    "lists are read from the standby again",
    async () => {
      await setTimeout(500);
      return (await readAnswered(nodes)).replica > replica;
    },
    READ_AGAIN_WITHIN_MS,
  );
  return Math.round((performance.now() - from) / 1_000);
}

/** What was acknowledged and is not there as it was. */
async function findLost(database: TestDatabase, { acknowledged }: Load): Promise<readonly string[]> {
  const checks = [
    ["select id from payment_requests", acknowledged.requests],
    ["select id from transactions where status = 'approved'", acknowledged.approved],
    ["select id from transactions where status = 'declined'", acknowledged.declined],
    ["select id from transactions where capture_status = 'captured'", acknowledged.captured],
    ["select id from refunds", acknowledged.refunds],
  ] as const;
  const lost: string[] = [];
  for (const [statement, ids] of checks) {
    const there = new Set((await database.rows<{ id: string }>(statement)).map(({ id }) => id));
    lost.push(...ids.filter((id) => !there.has(id)));
  }
  return lost;
}

/** Every event arrived, verifies, and none arrived that the database does not know. */
async function checkWebhooks(database: TestDatabase, node: GatewayProcess, shops: readonly ShopOfProof[]) {
  const events = await database.rows<{ id: string }>("select id from events");
  const known = new Set(events.map(({ id }) => id));
  const arrived = new Set<string>();
  for (const { key, receiver } of shops) {
    const { signingKey } = (await callsTo(node.shop.baseUrl).get("/webhooks/signingkey", { key })).body;
    assertReceived(receiver.received, signingKey);
    for (const { headers } of receiver.received) arrived.add(String(headers["webhook-id"]));
  }
  assert.deepEqual([...known.difference(arrived)], [], "events that no endpoint received");
  assert.deepEqual([...arrived.difference(known)], [], "endpoints received events that are lost");
  return known.size;
}

type ShopOfProof = { readonly id: string; readonly key: string; readonly receiver: Receiver };

/** Merchants with an endpoint for all events: of the sandbox's bank, and of a bank in a process of its own. */
async function makeShops(database: TestDatabase, { shop }: GatewayProcess, hostPort: number) {
  const [sandbox] = await database.rows<{ id: string }>("select id from merchants");
  const ofBank = await makeMerchant(database, "sandbox", "AU");
  // Many payments with one card from one address are no card testing here.
  await database.rows(
    `update merchants set card_testing = '{"address": 1000000, "bin": 1000000, "card": 1000000, "merchant": 1000000}'`,
  );
  const accountId = await addIsoAccount(database, ofBank.id, hostPort, { echoSeconds: 1 });
  const shops: ShopOfProof[] = [];
  for (const { id, key } of [{ id: sandbox?.id ?? "", key: TEST_KEY }, ofBank]) {
    const receiver = await startReceiver();
    const made = await callsTo(shop.baseUrl).post("/webhooks", { event: "*", url: receiver.url }, { key });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    shops.push({ id, key, receiver });
  }
  return { shops, bank: { merchantId: ofBank.id, accountId } };
}

/** In real time, until the bank has confirmed everything and nothing is undelivered. */
async function untilEnded(database: TestDatabase): Promise<void> {
  let left: readonly unknown[] = [];
  await eventually(
    "everything has ended",
    async () => {
      await setTimeout(500);
      left = [
        ...(await listOpen(database)),
        ...(await database.rows("select event_id from deliveries where status <> 'delivered' limit 5")),
      ];
      return left.length === 0;
    },
    ENDS_WITHIN_MS,
  ).catch((error: unknown) => {
    throw new Error(`not ended: ${JSON.stringify(left.slice(0, 5))}`, { cause: error });
  });
}

const proof = declareProof(
  "kill -9 of the primary of three database machines with Patroni, frozen machines and switchovers, under load",
  // Its load pays by card only.
  SOUND.filter((id) => id !== "I22"),
);
const missing = missingPrograms();

test(`I7, I10, I21: ${KILLS} kills of the primary under load lose nothing that was acknowledged`, {
  skip: missing === undefined ? false : proof.skip(missing),
}, async (context) => {
  const cluster = await startCluster();
  const database = connect(cluster.url);
  const host = await startIsoHost({ seed: proofSeed });
  const nodes: GatewayProcess[] = [];
  const times: Writable[] = [];
  try {
    // The first kill makes this standby the primary, and the second kills it.
    const readsAt = await cluster.syncStandby();
    const settings = await cluster.gatewaySettings(readsAt);
    const startNode = () => startGatewayProcess(database, undefined, settings);
    const node = await startNode();
    nodes.push(node, await startNode());
    const { shops, bank } = await makeShops(database, node, host.port);
    const load = startLoad({
      nodes: nodes.map(({ shop }) => shop),
      keys: shops.map(({ key }) => key),
      random: seeded(proofSeed),
    });
    await eventually("lists go on", async () => load.payments() > 0 && load.lists() >= LISTS_AFTER);
    assert.ok((await readAnswered(nodes)).replica > 0, "the standby answers lists");
    for (const [index, kind] of FAULTS.entries()) {
      await cluster.untilWhole();
      const enough = load.payments() + PAYMENTS_BETWEEN;
      await eventually("payments go on", async () => load.payments() >= enough, 120_000);
      const from = performance.now();
      const repair = await strike(cluster, kind);
      const ms = await untilWritable(nodes, from);
      times.push({ kind, ms });
      proof.count({ [COUNTED[kind]]: 1 });
      proof.most({ [`longest ms until writable, ${kind}`]: ms });
      if (index === 0) {
        assert.equal(await cluster.primary(), readsAt);
        const before = await readAnswered(nodes);
        const enough = load.lists() + LISTS_AFTER;
        await eventually("lists go on", async () => load.payments() > 0 && load.lists() >= enough);
        const { replica, primary } = await readAnswered(nodes);
        assert.equal(
          replica,
          before.replica,
          "it is the primary now: lists are not read from it as a standby",
        );
        assert.ok(primary > before.primary, "the primary answers lists");
      }
      repair();
    }
    await cluster.untilWhole();
    if ((await cluster.primary()) === readsAt) {
      await cluster.switchOver(SWITCHOVER);
      await cluster.untilWhole();
      proof.count({ [COUNTED.switchover]: 1 });
    }
    proof.most({ "seconds until lists are read from the standby again": await untilReadAgain(nodes) });
    const lastFaultAt = Date.now();
    await load.stop();
    proof.most({ "seconds to settle": await settle(database, lastFaultAt) });
    await untilEnded(database);

    assert.deepEqual(await findLost(database, load), [], "acknowledged, and not there");
    const events = await checkWebhooks(database, node, shops);
    const compared = await compareLedgers(database, host, bank);
    assert.deepEqual(await findBesideHost(database, bank.merchantId), []);
    const wrong = [...load.answers.keys()].filter((status) => ![200, 409, 503].includes(status));
    assert.deepEqual(wrong, [], "answers other than success, a repeated key, and 503");

    const { approved, declined, captured, refunds } = load.acknowledged;
    const payments = approved.length + declined.length + load.unanswered();
    const counts = {
      ...{ payments, approved: approved.length, captures: captured.length, refunds: refunds.length, events },
      ...{ lists: load.lists(), "statements answered by the standby": (await readAnswered(nodes)).replica },
      "payments without an answer": load.unanswered(),
      "answers with 503": load.answers.get(503) ?? 0,
      "requests at the bank": compared.requests,
      "reversals at the bank": compared.reversed,
    };
    proof.count(counts);
    const most = { ...medians(times), "longest ms of an answer": Math.round(load.slowestMs()) };
    proof.most(most);
    context.diagnostic(JSON.stringify({ ...counts, ...most, netCents: compared.net }));
  } finally {
    context.diagnostic(times.map(({ kind, ms }) => `${kind} ${ms} ms`).join(", "));
    for (const node of nodes) await node.kill();
    await database.drop();
    await host.stop();
    await cluster.stop();
  }
});

type Writable = { readonly kind: Kind; readonly ms: number };

/** The middle of the times until both nodes could write, by kind of fault. */
function medians(times: readonly Writable[]): Readonly<Record<string, number>> {
  const middle = (some: readonly Writable[]) =>
    some.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.floor((some.length - 1) / 2)] ?? 0;
  const kinds = [...Map.groupBy(times, ({ kind }) => kind)];
  return Object.fromEntries(kinds.map(([kind, some]) => [`median ms until writable, ${kind}`, middle(some)]));
}
