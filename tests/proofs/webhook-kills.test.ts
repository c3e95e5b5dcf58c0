import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { findPostmaster } from "../../src/platform/embedded-postgres/find-postmaster.ts";
import { openEmbeddedPostgres } from "../../src/platform/embedded-postgres/index.ts";
import { callsTo } from "../support/calls.ts";
import type { TestDatabase } from "../support/database.ts";
import { assertReceived } from "../support/delivery-invariants.ts";
import { eventually } from "../support/eventually.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants } from "../support/invariants.ts";
import { makeMerchant } from "../support/operator.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { writeEvents } from "../support/webhook-load.ts";

const KILLS = 20;
const SHOPS = 5;
const EVENTS = 10_000;
const EACH = EVENTS / KILLS / SHOPS;

type Shop = { readonly id: string; readonly key: string; readonly receiver: Receiver };

/** A separate database server that can be killed. It restarts at the same address. */
async function ownServer(folder: string) {
  const server = await openEmbeddedPostgres({ dataDir: folder, holdFolder: true, notice: () => {} });
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  pool.on("error", () => {});
  const rows = async (text: string, values: readonly unknown[] = []) =>
    (await pool.query(text, [...values])).rows;
  const database: TestDatabase = {
    url: server.url,
    rows: rows as TestDatabase["rows"],
    drop: async () => {},
  };
  const serverPid = async () => (await findPostmaster(join(folder, "postgres", "data")))?.pid;
  let killed: number | undefined;
  return {
    database,
    kill: async () => {
      killed = await serverPid();
      if (killed === undefined) throw new Error("the server is not running");
      process.kill(killed, "SIGKILL");
    },
    /** Waits for the new server, on a new connection: sessions of the old one may outlive it briefly. */
    answers: () =>
      eventually(
        "the server is running again",
        async () => {
          const pid = await serverPid();
          return pid !== undefined && pid !== killed && connects(server.url);
        },
        30_000,
      ),
    stop: async () => {
      await pool.end();
      await server.stop();
    },
  };
}

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

const arrived = (shops: readonly Shop[]) =>
  shops.reduce((sum, { receiver }) => sum + new Set(receiver.received.map(({ body }) => body)).size, 0);

test("I10, I11: kill -9 of gateway and database 20 times during 10,000 events loses none and changes none", {
  timeout: 900_000,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-kills-"));
  const server = await ownServer(folder);
  const { database } = server;
  try {
    let gateway = await startGatewayProcess(database);
    const shops: Shop[] = [];
    for (let count = 0; count < SHOPS; count += 1) {
      const receiver = await startReceiver();
      const { id, key } = await makeMerchant(database, "sandbox", "AU");
      const made = await callsTo(gateway.shop.baseUrl).post(
        "/webhooks",
        { event: "payment_requests", url: receiver.url },
        { key },
      );
      assert.equal(made.status, 200, JSON.stringify(made.body));
      shops.push({ id, key, receiver });
    }
    for (let round = 0; round < KILLS; round += 1) {
      const before = arrived(shops);
      for (const { id } of shops) await writeEvents({ database }, id, EACH, round * EACH);
      await eventually("some events have arrived", async () => arrived(shops) > before + EACH, 60_000);
      // Kills the gateway every time, the database every second time, in alternating order.
      if (round % 4 === 1) await server.kill();
      await gateway.kill();
      if (round % 4 === 3) await server.kill();
      await server.answers();
      gateway = await startGatewayProcess(database);
    }
    await eventually(
      "every event is delivered and recorded",
      async () => {
        const [left] = await database.rows<{ count: number }>(
          "select count(*)::int as count from deliveries where status <> 'delivered'",
        );
        return left?.count === 0;
      },
      120_000,
    );
    assert.equal(arrived(shops), EVENTS);
    const repeats = shops.reduce((sum, { receiver }) => sum + receiver.received.length, 0) - EVENTS;
    for (const { key, receiver } of shops) {
      const { signingKey } = (await callsTo(gateway.shop.baseUrl).get("/webhooks/signingkey", { key })).body;
      assertReceived(receiver.received, signingKey);
      assert.ok(
        receiver.mostAtOnce() <= 8,
        "four deliveries of a killed gateway may still be open beside four of the next",
      );
    }
    await assertInvariants(database);
    t.diagnostic(`${EVENTS} events, ${KILLS} kills, ${repeats} repeats`);
    await gateway.kill();
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
