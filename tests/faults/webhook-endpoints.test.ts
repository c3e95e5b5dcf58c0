import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { onceWithin } from "../support/once-within.ts";
import { proveIsolation, writeEvents } from "../support/webhook-load.ts";
import { type ShopWithWebhook, shopWithWebhook } from "../support/webhooks.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

describe("I12: a bad endpoint never delays a healthy one", () => {
  test("bad endpoints of every kind, with 60 events each, do not delay healthy ones", async (t) => {
    const { baseline, underLoad } = await proveIsolation(gateway, { healthy: 20, bad: 60 });
    t.diagnostic(`healthy p99: ${baseline} ms alone, ${underLoad} ms with bad endpoints`);
    await assertInvariants(gateway.database);
  });

  test("100 hanging endpoints do not delay one that answers", async () => {
    const silent: ShopWithWebhook[] = [];
    while (silent.length < 100) silent.push(await shopWithWebhook(gateway, () => {}));
    let written = 8;
    for (const { id } of silent) await writeEvents(gateway, id, written);
    await eventually("every hanging endpoint has open deliveries", async () =>
      silent.every(({ receiver }) => receiver.received.length >= 4),
    );
    await onceWithin(3_000, 10, async () => {
      for (const { id } of silent) await writeEvents(gateway, id, 4, written);
      written += 4;
      const shop = await shopWithWebhook(gateway);
      const startedAt = Date.now();
      await shop.create();
      const [one = assert.fail()] = await shop.receiver.until(1);
      return { tookMs: one.at - startedAt };
    });
    assert.ok(silent.every(({ receiver }) => receiver.mostAtOnce() <= 4));
  });
});
