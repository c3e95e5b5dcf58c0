import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { shownCode } from "../../support/codes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { DAY_SECONDS, payIdShop } from "../../support/payid.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway();
  shop = payIdShop(gateway);
});
after(() => assertInvariantsAndStop(gateway));

/** The returned transfers shown on the request. */
const returns = async (id: string) =>
  ((await shop.read(id)).payIdReturns ?? []).map((one: { amount: number; reason: string }) => [
    one.amount,
    one.reason,
  ]);

describe("spec 4: PayID flow", () => {
  test("the exact amount completes the request with its transaction", async () => {
    const { id, payId } = await shop.request({ reference: "invoice 7" });
    const paid = await shop.pay(payId, 3000, { payerName: "Ann Lee" });
    assert.deepEqual(Object.keys(paid).sort(), ["id", "result", "status"]);
    assert.equal(paid.status, "accepted");
    const request = await shop.read(id);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.equal("payIdReturns" in request, false);
    const { id: transactionId, location } = request.transactionResult;
    assert.equal(location, `${gateway.baseUrl}/transactions/${transactionId}`);

    const transaction = await shop.transaction(transactionId);
    assert.deepEqual(transaction.category, {
      method: "purchase",
      source: "payid",
      origin: "internet",
      frequency: "single",
      captureType: "auto",
    });
    assert.deepEqual(transaction.payment, {
      amount: 3000,
      surcharge: 0,
      totalAmount: 3000,
      capturedAmount: 3000,
      refundedAmount: 0,
      currencyCode: "AUD",
      instrument: { payId: { type: "single", email: payId, payerName: "Ann Lee" } },
    });
    assert.equal(transaction.paymentRequestId, id);
    assert.equal(transaction.reference, "invoice 7");
    assert.equal(transaction.captureStatus, "captured");
    assert.deepEqual(transaction.result, {
      mode: "sandbox",
      status: "approved",
      codes: [shownCode("A02000 approved", gateway.baseUrl)],
    });
    const listed = await gateway.get(`/transactions?paymentrequestid=${id}`);
    assert.deepEqual(listed.body.transactions, [transaction]);
  });

  test("creation and completion publish one event each, and so does the transaction", async () => {
    const { id, payId } = await shop.request();
    await shop.pay(payId, 3000);
    const events = await shop.eventsOf(id);
    assert.deepEqual(
      events.map(({ event, payload }) => [event, payload.paymentRequestStatus]),
      [
        ["payment_requests", "created"],
        ["payment_requests", "completed"],
      ],
    );
    const request = await shop.read(id);
    assert.deepEqual(events[1].payload, request, "the payload equals the GET response");
    const [transaction, ...more] = await shop.eventsOf(request.transactionResult.id);
    assert.equal(transaction.event, "transactions");
    assert.deepEqual(transaction.payload, await shop.transaction(request.transactionResult.id));
    assert.deepEqual(more, []);
  });

  test("a PayID is accepted in any case, with surrounding spaces", async () => {
    const { id, payId } = await shop.request();
    assert.equal((await shop.pay(` ${payId.toUpperCase()} `, 3000)).status, "accepted");
    const { transactionResult } = await shop.read(id);
    assert.equal((await shop.transaction(transactionResult.id)).payment.instrument.payId.email, payId);
  });
});

describe("contract 8: any other transfer is returned to the payer and recorded", () => {
  test("a transfer one cent short or over is returned, and the request stays payable", async () => {
    const { id, payId } = await shop.request();
    for (const [amount, reason] of [
      [2999, "short"],
      [3001, "over"],
    ] as const) {
      const transfer = await shop.pay(payId, amount);
      assert.deepEqual([transfer.status, transfer.reason], ["returned", reason]);
    }
    const request = await shop.read(id);
    assert.equal(request.paymentRequestStatus, "created");
    assert.equal("transactionResult" in request, false);
    assert.deepEqual(Object.keys(request.payIdReturns[0]).sort(), ["amount", "reason", "receivedDateTime"]);
    assert.equal((await shop.pay(payId, 3000)).status, "accepted");
    assert.deepEqual(await returns(id), [
      [2999, "short"],
      [3001, "over"],
    ]);
    const [first] = request.payIdReturns;
    assert.ok(Math.abs(Date.parse(first.receivedDateTime) - Date.now()) < 60_000);
  });

  test("each return publishes one event, and updatedDateTime grows", async () => {
    const { id, payId } = await shop.request();
    await shop.pay(payId, 1);
    await shop.pay(payId, 3000);
    await shop.pay(payId, 3000);
    const events = await shop.eventsOf(id);
    assert.deepEqual(
      events.map(({ payload }) => [payload.paymentRequestStatus, payload.payIdReturns?.length ?? 0]),
      [
        ["created", 0],
        ["created", 1],
        ["completed", 1],
        ["completed", 2],
      ],
    );
    const times = events.map(({ payload }): string => payload.updatedDateTime);
    assert.deepEqual([...new Set(times)].toSorted(), times);
    assert.deepEqual(events.at(-1).payload, await shop.read(id));
  });

  test("a second transfer to a paid request is a duplicate, whatever its amount", async () => {
    const { id, payId } = await shop.request();
    await shop.pay(payId, 3000);
    assert.equal((await shop.pay(payId, 3000)).reason, "duplicate");
    assert.equal((await shop.pay(payId, 1)).reason, "duplicate");
    assert.deepEqual(await returns(id), [
      [3000, "duplicate"],
      [1, "duplicate"],
    ]);
    const { transactions } = (await gateway.get(`/transactions?paymentrequestid=${id}`)).body;
    assert.equal(transactions.length, 1);
  });

  test("a transfer to a cancelled request is returned as closed", async () => {
    const { id, payId } = await shop.request();
    assert.equal((await shop.cancel(id)).status, 200);
    assert.equal((await shop.pay(payId, 3000)).reason, "closed");
    assert.deepEqual(await returns(id), [[3000, "closed"]]);
    assert.equal((await shop.read(id)).paymentRequestStatus, "cancelled");
  });

  test("only the newest hundred returns are shown, so that events stay bounded", async () => {
    const { id, payId } = await shop.request();
    for (let amount = 1; amount <= 101; amount += 1) await shop.pay(payId, amount);
    const shown = await returns(id);
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [100, [2, "short"], [101, "short"]]);
  });
});

describe("contract 3: lateness follows the merchant's clock, with or without a worker", () => {
  for (const roles of ["api", "api,worker"]) {
    test(`with the roles ${roles}`, async () => {
      const node = await startTestGateway({
        database: gateway.database,
        environment: { TIDEGATE_ROLES: roles },
      });
      try {
        const own = payIdShop(node, (await node.newMerchant()).key);
        const inTime = await own.request();
        const late = await own.request();
        await own.advance(DAY_SECONDS - 60);
        assert.equal((await own.pay(inTime.payId, 3000)).status, "accepted");
        await own.advance(61);
        assert.equal((await own.pay(late.payId, 3000)).reason, "late");
        const request = await own.read(late.id);
        assert.equal(request.paymentRequestStatus, "expired");
        const events = (await own.eventsOf(late.id)).map(({ payload }) => payload);
        assert.deepEqual(
          events.map((payload) => [payload.paymentRequestStatus, payload.payIdReturns?.[0].reason]),
          [
            ["created", undefined],
            ["expired", undefined],
            ["expired", "late"],
          ],
        );
        const { receivedDateTime } = request.payIdReturns[0];
        assert.ok(receivedDateTime >= request.expiryDateTime, "received on the merchant's clock");
      } finally {
        await node.stop();
      }
    });
  }
});

describe("contract 8: a reused PayID belongs to the later request", () => {
  test("transfers go to the open request, and earlier transfers stay with the earlier request", async () => {
    const earlier = await shop.request();
    await shop.pay(earlier.payId, 3000);
    const later = await shop.request({ value: earlier.value, amount: 500 });
    assert.equal((await shop.pay(later.payId, 3000)).reason, "over");
    assert.equal((await shop.pay(later.payId, 500)).status, "accepted");
    assert.equal((await shop.pay(later.payId, 500)).reason, "duplicate");
    assert.deepEqual(await returns(earlier.id), []);
    assert.deepEqual(await returns(later.id), [
      [3000, "over"],
      [500, "duplicate"],
    ]);
  });

  test("an expired request yields its PayID to a later one even before a worker expires it", async () => {
    const own = payIdShop(gateway, (await gateway.newMerchant()).key);
    const earlier = await own.request();
    await own.advance(DAY_SECONDS + 1);
    const later = await own.request({ value: earlier.value });
    assert.equal((await own.pay(earlier.payId, 3000)).status, "accepted");
    assert.equal((await own.read(later.id)).paymentRequestStatus, "completed");
    assert.equal((await own.read(earlier.id)).paymentRequestStatus, "expired");
  });
});
