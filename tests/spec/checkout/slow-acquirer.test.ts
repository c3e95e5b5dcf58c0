import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  callApi,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  openFrameOn,
  problemsOf,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop, findUnsettled } from "../../support/invariants.ts";
import { type Point, watchContext } from "../../support/watched-context.ts";

/** Each test has its own gateway, so that all wait at the same time. */
describe("contract 9: a slow or failing acquirer", { concurrency: true }, () => {
  let slow: TestGateway;
  let silent: TestGateway;
  let late: TestGateway;
  const silences = new Set<Point>(["authorise:before", "begin:before", "inquire:before"]);

  before(async () => {
    slow = await startTestGateway();
    silent = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(ctx, (point) => (silences.delete(point) ? new Promise<void>(() => {}) : undefined)),
    });
    // Each step takes long, but stays within its own deadline.
    late = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(ctx, (point) =>
          point === "begin:before" || point === "authorise:before" ? setTimeout(12_000) : undefined,
        ),
    });
  });
  after(async () => {
    const all = [slow, silent, late];
    const unsettled = await Promise.all(all.map(({ database }) => findUnsettled(database)));
    await Promise.all(all.map(assertInvariantsAndStop));
    assert.deepEqual(unsettled, [[], [], []]);
  });

  test("14480 is approved after 8 seconds; until then the request is locked", async () => {
    const shop = shopOf(slow);
    const frame = await openFrame(shop, { amount: 14_480 });
    const other = await openFrameOn(shop, frame.requestId);
    const began = Date.now();
    const paying = frame.pay();
    await eventually("the attempt is recorded", async () => ok(await frame.outcome()).state === "pending");
    assert.deepEqual(problemsOf(await other.pay()), ["V11612"]);
    const cancelled = await callApi(shop, "POST", `/paymentrequests/${frame.requestId}/cancel`);
    assert.equal(cancelled.status, 409);
    assert.deepEqual(problemsOf(cancelled), ["V11612"]);
    assert.equal(ok(await paying).state, "approved");
    const took = Date.now() - began;
    assert.ok(took >= 8_000 && took < 14_000, `took ${took} ms`);
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "completed");
  });

  test("14481 is pending when the connection drops, and an inquiry approves it within 30 seconds", async () => {
    const shop = shopOf(slow);
    const frame = await openFrame(shop, { amount: 14_481 });
    const paid = ok(await frame.pay());
    assert.equal(paid.state, "pending");
    assert.deepEqual(paid.result, { mode: "sandbox", status: "pending" });
    assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "created");
    await eventually(
      "the payment is approved",
      async () => ok(await frame.outcome()).state === "approved",
      30_000,
    );
    const { result, payment } = await getTransaction(shop, paid.transactionId);
    assert.equal(result.codes[0].id, "A02000");
    assert.equal(payment.capturedAmount, 14_481);
    const request = await getRequest(shop, frame.requestId);
    assert.equal(request.transactionResult.id, paid.transactionId);
  });

  test("3D Secure of 12 seconds and an acquirer of 12 seconds, each within its deadline, are approved", async () => {
    const shop = shopOf(late);
    const frame = await openFrame(shop, { category: { authenticationType: "3d_secure" } });
    assert.equal(ok(await frame.pay()).state, "approved");
    const { authentication, result } = await getTransaction(shop, ok(await frame.outcome()).transactionId);
    assert.deepEqual([authentication.status, result.codes[0].id], ["authenticated", "A02000"]);
  });

  test("an acquirer and an issuer that never respond do not block a payment forever", async () => {
    const shop = shopOf(silent);
    const [plain, secure] = await Promise.all([
      openFrame(shop),
      openFrame(shop, { category: { authenticationType: "3d_secure" } }),
    ]);
    // The recovery of this payment hits the silent inquiry while the two others wait for their timeouts.
    const early = await openFrame(shop, { amount: 14_481 });
    const [paid, failed] = await Promise.all([
      plain.pay(),
      secure.pay(),
      eventually("the first authorisation waits", async () => !silences.has("authorise:before")).then(() =>
        early.pay(),
      ),
    ]);
    assert.equal(ok(paid).state, "pending");
    assert.equal(ok(failed).state, "declined");
    assert.equal(silences.size, 0);
    await eventually(
      "both are settled",
      async () => {
        const [lost, kept] = [ok(await plain.outcome()).state, ok(await early.outcome()).state];
        return lost === "declined" && kept === "approved";
      },
      30_000,
    );
  });
});
