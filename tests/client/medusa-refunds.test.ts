import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTidegate, type Tidegate } from "../../packages/client/src/index.ts";
import type { TidegatePaymentProvider } from "../../packages/medusa/src/provider.ts";
import { ok, openFrameOn, shopOf } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { CLIENT_SOURCES, resolvePackages } from "../support/package-names.ts";

resolvePackages({
  "@tidegate/client": CLIENT_SOURCES,
  "@medusajs/framework/utils": new URL("../support/fake-medusa.ts", import.meta.url),
});

/** The provider reads the payment request and its transaction, then refunds. */
const BEFORE_REFUND = ["pass", "pass"] as const;
const ALL_ATTEMPTS = Array.from({ length: 5 });

/** Medusa deletes its record of a refund that fails, and a repeat in its admin has a new key. */
describe("Medusa's provider fails a refund only if none was made", () => {
  let gateway: TestGateway;
  let proxy: FaultProxy;
  let tidegate: Tidegate;
  let provider: TidegatePaymentProvider;
  const warnings: string[] = [];
  before(async () => {
    gateway = await startTestGateway();
    proxy = await startFaultProxy(gateway.baseUrl);
    tidegate = createTidegate({
      apiKey: TEST_KEY,
      baseUrl: gateway.baseUrl.replace("localhost", "127.0.0.1"),
    });
    const { TidegatePaymentProvider: Provider } = await import("../../packages/medusa/src/provider.ts");
    provider = new Provider(
      { logger: { warn: (line: string) => warnings.push(line) } },
      { apiKey: TEST_KEY, webhookSigningKey: "key", baseUrl: proxy.url, hostedUrl: gateway.hostedUrl },
    );
  });
  after(async () => {
    await proxy.close();
    await gateway.stop();
  });

  let sessions = 0;
  async function paid(amount: number) {
    sessions += 1;
    proxy.plan();
    warnings.length = 0;
    const data = { session_id: `payses_${sessions}` };
    const started = await provider.initiatePayment({ amount, currency_code: "aud", data, context: {} });
    ok(await (await openFrameOn(shopOf(gateway), started.id)).pay());
    const { data: stored = {} } = await provider.authorizePayment(started);
    return { data: stored, transactionId: String(stored["transaction_id"]) };
  }
  const refund = (data: Record<string, unknown>, amount: number, key: string) =>
    provider.refundPayment({ data, amount, context: { idempotency_key: key } });
  const statusesOf = async (transactionId: string) =>
    (await tidegate.transactions.refunds.list(transactionId)).refunds.map(({ result }) => result.status);

  test("a refund whose outcome cannot be read is pending: Medusa keeps its record, and the log has a warning", async () => {
    const { data, transactionId } = await paid(20);
    proxy.plan(...BEFORE_REFUND, "pass", ...ALL_ATTEMPTS.map(() => ({ status: 503 })));
    const answer = await refund(data, 7.5, "ref_1");
    assert.deepEqual(answer.data, data);
    const [made] = (await tidegate.transactions.refunds.list(transactionId)).refunds;
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", new RegExp(`refund ${made?.id} of transaction ${transactionId}`));
    await eventually("the refund is approved", async () => {
      return (await statusesOf(transactionId)).join() === "approved";
    });
  });

  test("a refund that is approved needs no other read", async () => {
    const { data, transactionId } = await paid(20);
    proxy.plan();
    assert.deepEqual((await refund(data, 7.5, "ref_2")).data, data);
    assert.deepEqual(await statusesOf(transactionId), ["approved"]);
    assert.match(proxy.seen.at(-1)?.path ?? "", /^\/refunds\//, "the last read is the refund's");
    assert.deepEqual(warnings, []);
  });

  test("if the outcome of the request is unknown, the error names the transaction to check first", async () => {
    const { data, transactionId } = await paid(20);
    proxy.plan(...BEFORE_REFUND, ...ALL_ATTEMPTS.map(() => "cut after" as const));
    await assert.rejects(refund(data, 7.5, "ref_3"), (error: Error & { type?: string }) => {
      assert.match(error.message, new RegExp(`may have been made.*check transaction ${transactionId}`));
      return error.type === "unexpected_state";
    });
    assert.equal((await statusesOf(transactionId)).length, 1, "it was made");
    proxy.plan();
    await refund(data, 7.5, "ref_3");
    assert.equal((await statusesOf(transactionId)).length, 1, "the same key refunds once");
  });

  test("a refund that is refused or declined is an error, and nothing needs to be checked", async () => {
    const { data, transactionId } = await paid(164.05);
    for (const [amount, words] of [
      [164.06, /^Tidegate: the gateway answered 409/],
      [144.05, /^Not refunded: the acquirer declined it \(D04405\)/],
    ] as const) {
      await assert.rejects(refund(data, amount, `ref_${amount}`), (error: Error) => {
        assert.doesNotMatch(error.message, /check transaction/);
        return words.test(error.message);
      });
    }
    assert.deepEqual(await statusesOf(transactionId), ["declined"]);
  });
});
