import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { operatorMessage } from "../../src/app/operator-message.ts";
import {
  DISTRIBUTED_TABLES,
  REFERENCE_TABLES,
  TRIGGERS_OF_ONE_SERVER,
} from "../../src/platform/db/distribution.ts";
import { migrateDistributed } from "../../src/platform/db/migrate.ts";
import { payOnce, shopOf } from "../support/checkout.ts";
import { CITUS_URL } from "../support/citus.ts";
import { startTestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { payIdShop } from "../support/payid.ts";
import { cloneUndistributed } from "../support/undistributed.ts";
import { shopWithWebhook } from "../support/webhooks.ts";

const skip = CITUS_URL === undefined && "TIDEGATE_TEST_CITUS_URL names no Citus cluster";

describe("a Citus cluster", { skip }, () => {
  test("a filled database is distributed once, keeps its records and rules, and goes on", async () => {
    const database = await cloneUndistributed();
    const { url } = database;
    // Without those of shards.
    const namesOf = async (catalog: string) =>
      (
        await database.rows<{ name: string }>(
          `select name from (${catalog}) c where name !~ '_\\d{6,}$' order by 1`,
        )
      ).map(({ name }) => name);
    const foreignKeys = () => namesOf("select conname as name from pg_constraint where contype = 'f'");
    const triggers = () => namesOf("select tgname as name from pg_trigger where not tgisinternal");
    try {
      const before = await startTestGateway({ database });
      const shop = await shopWithWebhook(before, undefined, "*");
      const { requestId } = await payOnce(shopOf(before, shop.key));
      const payIds = payIdShop(before, shop.key);
      const { value, payId } = await payIds.request();
      await shop.receiver.until(4);
      const refused = await migrateDistributed(url).catch((error: unknown) => error);
      assert.match(String(operatorMessage(refused)), /a gateway is connected to this database/);
      await before.stop();
      const [keys, rules] = [await foreignKeys(), await triggers()];

      const { distributed } = await migrateDistributed(url);
      assert.deepEqual(
        distributed.toSorted(),
        [...DISTRIBUTED_TABLES, ...Object.keys(REFERENCE_TABLES)].toSorted(),
      );
      const lost = keys.filter(
        (key) => key.startsWith("incoming_transfers") || key.startsWith("wallet_token"),
      );
      assert.deepEqual(
        await foreignKeys(),
        keys.filter((key) => !lost.includes(key)),
      );
      assert.equal(lost.length, 2);
      assert.deepEqual(
        await triggers(),
        rules
          .filter((rule) => rule !== "merchants_payout_job")
          .map((rule) => (rule in TRIGGERS_OF_ONE_SERVER ? `${rule}_by_row` : rule)),
      );
      assert.deepEqual((await migrateDistributed(url)).distributed, []);

      const after = await startTestGateway({ database });
      try {
        const known = await after.get(`/paymentrequests/${requestId}`, { key: shop.key });
        assert.equal(known.body.paymentRequestStatus, "completed");
        const other = payIdShop(after, (await after.newMerchant()).key);
        await assert.rejects(other.request({ value }), /V11135/);
        assert.equal((await payIdShop(after, shop.key).pay(payId, 3000)).status, "accepted");
        await payOnce(shopOf(after, shop.key));
        await shop.receiver.until(8);
        await assertInvariants(database);
      } finally {
        await after.stop();
      }
    } finally {
      await database.drop();
    }
  });
});
