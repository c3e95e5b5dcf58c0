import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HOUR, MINUTE } from "../../src/kernel/time.ts";
import { callApi, getTransaction, ok, payOnce } from "../support/checkout.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { moveClock } from "../support/move-clock.ts";
import { startReceiver } from "../support/receiver.ts";

describe("a node whose machine has a wrong clock goes by the database's", () => {
  const clock = moveClock();

  for (const [name, ahead] of [
    ["an hour ahead", HOUR],
    ["an hour back", -HOUR],
  ] as const) {
    test(`${name}: moments are right, and timed work is done when it is due`, async () => {
      const database = await cloneDatabase();
      clock.setAhead(ahead);
      const node = await startGatewayProcess(database, undefined, clock.environment);
      try {
        const { shop } = node;
        const receiver = await startReceiver();
        ok(await callApi(shop, "POST", "/webhooks", { event: "*", url: receiver.url }));
        const { transactionId } = (await payOnce(shop)).paid;
        const { createdDateTime } = await getTransaction(shop, transactionId);
        assert.ok(Math.abs(Date.parse(createdDateTime) - Date.now()) < MINUTE, createdDateTime);
        const path = `/transactions/${transactionId}/refunds`;
        const { id } = ok(await callApi(shop, "POST", path, { payment: { amount: 100 } }));
        await eventually("the refund is settled", async () => {
          const { result } = ok(await callApi(shop, "GET", `/refunds/${id}`));
          return result.status === "approved";
        });
        await receiver.until(3);
        // The payout's time is a bank's: once a day it is an hour away.
        const far = await database.rows(
          `select kind, due_at from jobs
           where kind <> 'payout_run' and abs(extract(epoch from due_at - now())) between 3000 and 4200`,
        );
        assert.deepEqual(far, []);
      } finally {
        await node.kill();
        await database.drop();
      }
    });
  }
});
