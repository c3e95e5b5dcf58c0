import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, ok, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { withLiveAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

describe("a live refund does not wait for the sandbox's settlement delay", () => {
  let gateway: TestGateway;
  before(async () => {
    const environment = { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "3600" };
    gateway = await startTestGateway({ environment, wrapContext: withLiveAcquirer });
  });
  after(() => gateway.stop());

  async function refund(shop: Shop): Promise<() => Promise<string>> {
    const { transactionId } = await payOnce(shop);
    const made = ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`));
    assert.equal(made.result.status, "pending");
    return async () =>
      ok(await callApi(shop, "GET", `/transactions/${transactionId}/refunds/${made.id}`)).result.status;
  }

  test("it goes out at once, and a sandbox refund stays pending", async () => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows("update merchants set capabilities = $2 where id = $1", [
      id,
      JSON.stringify({ cardNotPresent: true }),
    ]);
    const inSandbox = await refund(shopOf(gateway));
    const live = await refund(shopOf(gateway, key));
    await eventually("the live refund is approved", async () => (await live()) === "approved");
    assert.equal(await inSandbox(), "pending");
  });
});
