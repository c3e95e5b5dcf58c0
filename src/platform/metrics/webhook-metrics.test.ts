import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Registry } from "prom-client";
import { createWebhookMetrics } from "./webhook-metrics.ts";

function stage() {
  const registry = new Registry();
  let now = 0;
  const metrics = createWebhookMetrics(registry, () => now);
  const value = async (name: string) =>
    new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (.+)$`, "m").exec(await registry.metrics())?.[1];
  return {
    metrics,
    value,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("contract 10: metrics of deliveries", () => {
  test("attempts are counted by what came of them, from 0", async () => {
    const { metrics, value } = stage();
    assert.equal(await value('tidegate_webhook_attempts_total{outcome="failed"}'), "0");
    assert.equal(await value('tidegate_webhook_subscriptions_disabled_total{reason="gone"}'), "0");
    metrics.attempted("delivered");
    metrics.attempted("delivered");
    metrics.attempted("retried");
    metrics.disabled("gone");
    assert.equal(await value('tidegate_webhook_attempts_total{outcome="delivered"}'), "2");
    assert.equal(await value('tidegate_webhook_attempts_total{outcome="retried"}'), "1");
    assert.equal(await value('tidegate_webhook_attempts_total{outcome="failed"}'), "0");
    assert.equal(await value('tidegate_webhook_subscriptions_disabled_total{reason="gone"}'), "1");
    assert.equal(await value('tidegate_webhook_subscriptions_disabled_total{reason="failing"}'), "0");
  });

  test("first attempts are put by their time", async () => {
    const { metrics, value } = stage();
    metrics.firstAttempt(0.2);
    metrics.firstAttempt(3);
    assert.equal(await value('tidegate_webhook_first_attempt_seconds_bucket{le="0.1"}'), "0");
    assert.equal(await value('tidegate_webhook_first_attempt_seconds_bucket{le="0.25"}'), "1");
    assert.equal(await value('tidegate_webhook_first_attempt_seconds_bucket{le="5"}'), "2");
  });

  test("the database is queried once for all gauges, and not again within five seconds", async () => {
    const { metrics, value, pass } = stage();
    let reads = 0;
    const backlog = async () => {
      reads += 1;
      return { due: reads, oldestSeconds: 1.5, failing: 4 };
    };
    metrics.watch({ backlog, inHand: () => ({ queued: 7, quick: 2, slow: 1 }) });
    assert.equal(await value("tidegate_webhook_due"), "1");
    assert.equal(await value("tidegate_webhook_oldest_due_seconds"), "1.5");
    assert.equal(await value("tidegate_webhook_due_failing"), "4");
    assert.equal(await value('tidegate_webhook_in_hand{state="queued"}'), "7");
    assert.equal(await value('tidegate_webhook_in_hand{state="slow"}'), "1");
    pass(4_999);
    assert.equal(await value("tidegate_webhook_due"), "1");
    pass(1);
    assert.equal(await value("tidegate_webhook_due"), "2");
    assert.equal(reads, 2);
  });

  test("while the database is away its gauges are left out, and the other metrics are there", async () => {
    const { metrics, value, pass } = stage();
    let away = false;
    const backlog = async () => {
      if (away) throw new Error("away");
      return { due: 3, oldestSeconds: 1, failing: 0 };
    };
    metrics.watch({ backlog, inHand: () => ({ queued: 0, quick: 0, slow: 0 }) });
    assert.equal(await value("tidegate_webhook_due"), "3");
    away = true;
    pass(5_000);
    assert.equal(await value("tidegate_webhook_due"), undefined);
    assert.equal(await value("tidegate_webhook_oldest_due_seconds"), undefined);
    assert.equal(await value('tidegate_webhook_in_hand{state="quick"}'), "0");
    away = false;
    pass(5_000);
    assert.equal(await value("tidegate_webhook_due"), "3");
  });
});
