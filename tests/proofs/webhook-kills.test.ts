import assert from "node:assert/strict";
import { test } from "node:test";
import { callsTo } from "../support/calls.ts";
import { assertReceived } from "../support/delivery-invariants.ts";
import { eventually } from "../support/eventually.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants } from "../support/invariants.ts";
import { makeMerchant } from "../support/operator.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { declareProof, sized } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { writeEvents } from "../support/webhook-load.ts";

const KILLS = sized(6, 20);
const SHOPS = 5;
const EVENTS = KILLS * 500;
const EACH = EVENTS / KILLS / SHOPS;

const proof = declareProof("kill -9 of gateway and database while thousands of events are delivered", [
  "I10",
  "I11",
]);

type Shop = { readonly id: string; readonly key: string; readonly receiver: Receiver };

const arrived = (shops: readonly Shop[]) =>
  shops.reduce((sum, { receiver }) => sum + new Set(receiver.received.map(({ body }) => body)).size, 0);

test(`I10, I11: kill -9 of gateway and database ${KILLS} times during ${EVENTS} events loses none and changes none`, {
  timeout: 900_000,
}, async () => {
  const server = await startOwnPostgres();
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
      await server.untilBack();
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
    proof.count({ kills: KILLS, events: EVENTS, "repeated deliveries": repeats });
    await gateway.kill();
  } finally {
    await server.stop();
  }
});
