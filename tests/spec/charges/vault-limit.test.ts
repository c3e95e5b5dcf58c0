import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { instant, MINUTE } from "../../../src/kernel/time.ts";
import { callApi, ok, openFrameOn, problemsOf, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { openFrameFor, paySaved } from "../../support/saved-cards.ts";
import { chargeOf, type Stored, storedCard } from "../../support/stored-cards.ts";

describe("uses of stored numbers are limited per merchant and minute", () => {
  let gateway: TestGateway;
  let card: Stored;
  let time = Math.floor(Date.now() / MINUTE) * MINUTE;
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_VAULT_USES_PER_MINUTE: "3" },
      now: () => instant(time),
    });
    card = await storedCard(shopOf(gateway));
    time += MINUTE;
  });
  after(() => gateway.stop());

  const charge = (stored = card, shop = shopOf(gateway)) =>
    callApi(shop, "POST", "/transactions", chargeOf(stored));
  const openFor = (overrides = {}) => openFrameFor(shopOf(gateway), card.id, overrides);
  const count = async () => (await gateway.database.rows("select from transactions")).length;
  const uses = async () =>
    (await gateway.database.rows("select from audit_log where act = 'number_used'")).length;
  const alarms = () =>
    gateway.database.rows<{ merchant_id: string; detail: string }>(
      "select merchant_id, detail from audit_log where act = 'vault_limit_reached'",
    );

  test("the third charge goes through, the fourth is 429 with Retry-After and records nothing but the alarm", async () => {
    for (let use = 0; use < 3; use += 1) assert.equal((await charge()).status, 200);
    const before = await count();
    assert.deepEqual(await alarms(), []);
    for (let more = 0; more < 2; more += 1) {
      const refused = await charge();
      assert.equal(refused.status, 429);
      assert.equal(refused.body.result.codes[0].id, "V11748");
      assert.equal(Number(refused.headers.get("retry-after")), 60);
    }
    assert.equal(await count(), before);
    const [alarm, ...others] = await eventually("the alarm", async () => {
      const found = await alarms();
      return found.length > 0 && found;
    });
    assert.equal(others.length, 0, "one for each minute");
    assert.equal(alarm?.detail, "3 a minute, refused");
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    assert.match(metrics, /tidegate_vault_limited_total\{answer="refused"\} 2/);
    assert.match(metrics, /tidegate_vault_uses_total\{purpose="charge"\} 3/);
  });

  test("another merchant is not affected, and the next minute is free again", async () => {
    const { key } = await gateway.newMerchant();
    const shop = shopOf(gateway, key);
    assert.equal((await charge(await storedCard(shop), shop)).status, 200);
    assert.equal((await charge()).status, 429);
    time += MINUTE;
    assert.equal((await charge()).status, 200);
  });

  test("saved cards in the checkout count, too: the payer gets 429, and nothing is attempted", async () => {
    time += MINUTE;
    for (let use = 0; use < 2; use += 1) assert.equal((await charge()).status, 200);
    assert.equal((await paySaved(await openFor(), card.paymentInstrumentId)).status, 200);
    const before = await count();
    const refused = await paySaved(await openFor(), card.paymentInstrumentId);
    assert.deepEqual([refused.status, refused.body.result.codes[0].id], [429, "V11748"]);
    assert.equal(await count(), before);
  });

  /** A frame with the session of a hosted page. */
  const openPage = async (failedAttempts: number) => {
    const more = { customerRequest: { id: card.id } };
    const { id, hostedPaymentPage } = await createHosted(shopOf(gateway), { more });
    const pageKey = new URL(hostedPaymentPage.url).pathname.split("/").at(-1);
    return { ...(await openFor()), requestId: id, session: `page.${pageKey}.${failedAttempts}` };
  };
  const REFUSED = [
    {
      name: "a spent token",
      code: "V11610",
      open: async () => {
        const frame = await openFor();
        ok(await paySaved(frame, card.paymentInstrumentId));
        return frame;
      },
    },
    {
      name: "a pending attempt",
      code: "V11612",
      open: async () => {
        const first = await openFor({ amount: 14_418, category: { authenticationType: "3d_secure" } });
        const second = await openFrameOn(first.shop, first.requestId);
        assert.equal(ok(await paySaved(first, card.paymentInstrumentId)).state, "challenge");
        return second;
      },
    },
    {
      name: "a cancelled page",
      code: "V11190",
      open: async () => {
        const page = await openPage(0);
        ok(await callApi(page.shop, "POST", `/paymentrequests/${page.requestId}/cancel`));
        return page;
      },
    },
    { name: "another attempt's page", code: "V11610", open: () => openPage(1) },
    { name: "another total", code: "V11613 /total", open: openFor, more: { total: 1 } },
  ];
  for (const { name, code, open, more } of REFUSED) {
    test(`a saved card refused for ${name} stays in the vault and uses nothing of the limit`, async () => {
      time += MINUTE;
      const frame = await open();
      const before = await uses();
      for (let call = 0; call < 4; call += 1)
        assert.deepEqual(problemsOf(await paySaved(frame, card.paymentInstrumentId, more)), [code]);
      assert.equal(await uses(), before);
      assert.equal(ok(await paySaved(await openFor(), card.paymentInstrumentId)).state, "approved");
      assert.equal(await uses(), before + 1);
    });
  }

  test("a refused charge can be sent again with its idempotency key", async () => {
    const headers = { "Idempotency-Key": "again-1" };
    while ((await charge()).status !== 429);
    const call = () => gateway.post("/transactions", chargeOf(card), { headers });
    assert.equal((await call()).status, 429);
    time += MINUTE;
    assert.equal((await call()).status, 200);
  });
});
