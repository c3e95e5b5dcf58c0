import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
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
import { findUnsettled, findViolations } from "../support/invariants.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { startIsoHost } from "../support/iso-host/iso-host.ts";
import { compareLedgers, listOpen } from "../support/iso-host/kill-payments.ts";
import { makeMerchant } from "../support/operator.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { CHECKOUT } from "../support/request-bodies.ts";

const LONG = process.env["TIDEGATE_PROOF_LONG"] === "1";
const KILLS = LONG ? 30 : 3;
/** Freezes and switchovers, beside the kills. */
const OTHERS = LONG ? 3 : 1;
const SEED = 20_261_116;
/** Payments between two faults, so that each fault meets payments in all stages. */
const PAYMENTS_BETWEEN = 12;

type Kind = "machine killed" | "PostgreSQL killed" | "machine frozen" | "switchover";

const FAULTS: readonly Kind[] = [
  ...Array.from(
    { length: KILLS },
    (_, index): Kind => (index % 3 === 2 ? "PostgreSQL killed" : "machine killed"),
  ),
  ...Array.from({ length: OTHERS }, (): Kind => "machine frozen"),
  ...Array.from({ length: OTHERS }, (): Kind => "switchover"),
];

/** Random numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One line for whoever collects proofs, in the file that they name. */
function report(verdict: "held" | "failed" | "skipped", counts: object, reason?: string): void {
  const file = process.env["TIDEGATE_PROOF_REPORT"];
  if (file === undefined) return;
  const line = {
    proof: "failover",
    seed: SEED,
    counts,
    verdict,
    ...(reason === undefined ? {} : { reason }),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

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
  if (kind === "machine frozen") return cluster.freeze(primary);
  if (kind === "machine killed") {
    cluster.killMachine(primary);
    return () => cluster.restart(primary);
  }
  if (kind === "PostgreSQL killed") cluster.killPostgres(primary);
  else await cluster.switchOver();
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

/** The rules of every proof. The merchant with a bank of its own is not in the sandbox's ledger, so it counts as live here. */
async function findBroken(database: TestDatabase, merchantOfBank: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("update merchants set mode = 'live' where id = $1", [merchantOfBank]);
    return await findViolations({
      rows: async (text, values = []) => (await client.query(text, [...values])).rows,
    });
  } finally {
    await client.end();
  }
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

const missing = missingPrograms();
if (missing !== undefined) report("skipped", {}, missing);

test(`I7, I10, I21: ${KILLS} kills of the primary under load lose nothing that was acknowledged`, {
  skip: missing ?? false,
  timeout: 3_000_000,
}, async (context) => {
  const cluster = await startCluster();
  const database = connect(cluster.url);
  const host = await startIsoHost({ seed: SEED });
  const times: { kind: Kind; ms: number }[] = [];
  const counts: Record<string, number> = {};
  const nodes: GatewayProcess[] = [];
  try {
    nodes.push(await startGatewayProcess(database));
    nodes.push(await startGatewayProcess(database));
    const [sandbox] = await database.rows<{ id: string }>("select id from merchants");
    const ofBank = await makeMerchant(database, "sandbox", "AU");
    // Many payments with one card from one address are no card testing here.
    await database.rows(
      `update merchants set card_testing = '{"address": 1000000, "bin": 1000000, "card": 1000000, "merchant": 1000000}'`,
    );
    const accountId = await addIsoAccount(database, ofBank.id, host.port, { echoSeconds: 1 });
    const shops: ShopOfProof[] = [];
    for (const { id, key } of [{ id: sandbox?.id ?? "", key: TEST_KEY }, ofBank]) {
      const receiver = await startReceiver();
      const { baseUrl } = nodes[0]?.shop ?? { baseUrl: "" };
      const made = await callsTo(baseUrl).post("/webhooks", { event: "*", url: receiver.url }, { key });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      shops.push({ id, key, receiver });
    }
    const load = startLoad({
      nodes: nodes.map(({ shop }) => shop),
      keys: shops.map(({ key }) => key),
      random: seeded(SEED),
    });
    for (const kind of FAULTS) {
      await cluster.untilWhole();
      const enough = load.payments() + PAYMENTS_BETWEEN;
      await eventually("payments go on", async () => load.payments() >= enough, 60_000);
      const from = performance.now();
      const repair = await strike(cluster, kind);
      times.push({ kind, ms: await untilWritable(nodes, from) });
      context.diagnostic(
        `${kind}: writable after ${times.at(-1)?.ms} ms; ${load.payments()} payments so far`,
      );
      repair();
    }
    await cluster.untilWhole();
    await load.stop();
    const settled = performance.now();
    let unsettled: readonly unknown[] = [];
    await eventually(
      "nothing is unknown, locked or overdue",
      async () => {
        await setTimeout(500);
        unsettled = [...(await findUnsettled(database)), ...(await listOpen(database))];
        return unsettled.length === 0;
      },
      180_000,
    ).catch((error: unknown) => {
      throw new Error(`not settled: ${JSON.stringify(unsettled.slice(0, 5))}`, { cause: error });
    });
    counts["settledAfterMs"] = Math.round(performance.now() - settled);
    await eventually(
      "every event is delivered",
      async () =>
        (await database.rows("select from deliveries where status <> 'delivered' limit 1")).length === 0,
      120_000,
    );
    const { acknowledged } = load;
    Object.assign(counts, {
      payments: acknowledged.approved.length + acknowledged.declined.length + load.unanswered(),
      approved: acknowledged.approved.length,
      captured: acknowledged.captured.length,
      refunds: acknowledged.refunds.length,
      unanswered: load.unanswered(),
      answered503: load.answers.get(503) ?? 0,
      slowestAnswerMs: Math.round(load.slowestMs()),
    });
    const lost = await findLost(database, load);
    counts["lost"] = lost.length;
    assert.deepEqual(lost, []);
    const [node] = nodes;
    assert.ok(node !== undefined);
    counts["events"] = await checkWebhooks(database, node, shops);
    const compared = await compareLedgers(database, host, { merchantId: ofBank.id, accountId });
    counts["bankRequests"] = compared.requests;
    counts["bankReversed"] = compared.reversed;
    counts["bankNetCents"] = compared.net;
    assert.deepEqual(await findBroken(database, ofBank.id), []);
    const wrong = [...load.answers.keys()].filter((status) => ![200, 409, 503].includes(status));
    assert.deepEqual(wrong, [], "answers other than success, a repeated key, and 503");
    Object.assign(counts, summary(times));
    report("held", counts);
  } catch (error) {
    report(
      "failed",
      { ...counts, ...summary(times) },
      error instanceof Error ? error.message : String(error),
    );
    throw error;
  } finally {
    context.diagnostic(JSON.stringify(counts));
    for (const node of nodes) await node.kill();
    await database.drop();
    await host.stop();
    await cluster.stop();
  }
});

/** Median and longest time until both nodes could write, by kind of fault. */
function summary(times: readonly { readonly kind: Kind; readonly ms: number }[]): Record<string, number> {
  const kinds = [...Map.groupBy(times, ({ kind }) => kind)].map(([kind, some]) => [kind, some] as const);
  const kills = times.filter(({ kind }) => kind.endsWith("killed"));
  return Object.fromEntries(
    [...kinds, ["all kills", kills] as const].flatMap(([kind, some]) => {
      const sorted = some.map(({ ms }) => ms).toSorted((one, other) => one - other);
      return [
        [`${kind}: count`, sorted.length],
        [`${kind}: median ms`, sorted[Math.floor((sorted.length - 1) / 2)] ?? 0],
        [`${kind}: longest ms`, sorted.at(-1) ?? 0],
      ];
    }),
  );
}
