import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Registry } from "prom-client";
import { createPaymentMetrics } from "./payment-metrics.ts";

async function linesOf(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

describe("contract 10: metrics of payments", () => {
  test("every series is there from the start, at 0", async () => {
    const registry = new Registry();
    createPaymentMetrics(registry);
    const lines = await linesOf(registry);
    for (const series of [
      'tidegate_payments_total{mode="live",source="payid",status="declined"}',
      'tidegate_payments_total{mode="live",source="direct_debit",status="returned"}',
      'tidegate_payments_unknown_total{mode="live",source="google_pay"}',
      'tidegate_payments_recovered_total{mode="sandbox",source="card",status="approved"}',
      'tidegate_refunds_total{mode="live",source="direct_debit",status="declined"}',
      'tidegate_three_d_secure_total{mode="live",flow="challenge",outcome="abandoned"}',
      'tidegate_acquirer_seconds_count{mode="live"}',
    ]) {
      assert.ok(lines.includes(`${series} 0`), series);
    }
    for (const line of lines) assert.match(line, / 0$/);
  });

  test("an account's answers start at 0 with its first call, so that a rate without approvals is 0", async () => {
    const registry = new Registry();
    createPaymentMetrics(registry).callAcquirer({ mode: "live", account: "acq_1", connector: "adyen" })(
      "declined",
    );
    const lines = await linesOf(registry);
    for (const [answer, count] of [
      ["approved", 0],
      ["declined", 1],
      ["unknown", 0],
    ]) {
      const series = `tidegate_acquirer_answers_total{mode="live",account="acq_1",connector="adyen",answer="${answer}"}`;
      assert.ok(lines.includes(`${series} ${count}`), series);
    }
  });

  test("what happens is counted where it belongs, and makes no new series but an acquirer account's", async () => {
    const registry = new Registry();
    const metrics = createPaymentMetrics(registry);
    const before = await linesOf(registry);
    const wallet = { mode: "live", source: "apple_pay" } as const;
    metrics.callAcquirer({ mode: "live", account: "acq_1", connector: "iso8583" })("approved");
    metrics.unknown(wallet);
    metrics.ended(wallet, "approved");
    metrics.recovered(wallet, "approved");
    metrics.refunded({ mode: "sandbox", source: "payid" }, "declined");
    metrics.ended({ mode: "sandbox", source: "direct_debit" }, "returned");
    metrics.authenticated("live", "challenge", "failed");
    const after = await linesOf(registry);
    const ofAccount = after.filter((line) => line.includes('account="acq_1"'));
    assert.equal(after.length - ofAccount.length, before.length);
    const answer =
      'tidegate_acquirer_answers_total{mode="live",account="acq_1",connector="iso8583",answer="approved"} 1';
    assert.ok(ofAccount.includes(answer));
    const counted = after
      .filter((line) => !ofAccount.includes(line))
      .filter((line) => !line.startsWith("tidegate_acquirer_seconds") && / [1-9]/.test(line));
    assert.deepEqual(counted, [
      'tidegate_payments_total{mode="sandbox",source="direct_debit",status="returned"} 1',
      'tidegate_payments_total{mode="live",source="apple_pay",status="approved"} 1',
      'tidegate_payments_recovered_total{mode="live",source="apple_pay",status="approved"} 1',
      'tidegate_payments_unknown_total{mode="live",source="apple_pay"} 1',
      'tidegate_refunds_total{mode="sandbox",source="payid",status="declined"} 1',
      'tidegate_three_d_secure_total{mode="live",flow="challenge",outcome="failed"} 1',
    ]);
    assert.ok(after.includes('tidegate_acquirer_seconds_bucket{le="0.25",mode="live"} 1'));
    assert.ok(after.includes('tidegate_acquirer_seconds_count{mode="sandbox"} 0'));
  });
});
