import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { shopOf } from "../../support/checkout.ts";
import { debit } from "../../support/debits.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { followGuide } from "../../support/guide.ts";

describe("the guides to direct debit and payouts", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" } });
  });
  after(() => gateway.stop());

  test("docs/guides/direct-debit.md: every call does what the guide says", async () => {
    const answers = await followGuide("docs/guides/direct-debit.md", gateway);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200, 200],
    );
  });

  test("docs/guides/payouts.md: every call does what the guide says", async () => {
    const { key } = await gateway.newMerchant();
    await debit(shopOf(gateway, key), 2500);
    const call: TestGateway["call"] = (path, asked) => gateway.call(path, { ...asked, key });
    const answers = await followGuide("docs/guides/payouts.md", { ...gateway, call });
    assert.equal(answers.length, 3);
  });
});
