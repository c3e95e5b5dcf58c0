import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { stopSound } from "../../support/invariants.ts";
import { DAY_SECONDS, payIdShop } from "../../support/payid.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway();
  shop = payIdShop(gateway);
});
after(() => stopSound(gateway));

/** What stands on the request of transfers that went back. */
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
      codes: [{ id: "A02000", message: "approved" }],
    });
    const listed = await gateway.get(`/transactions?paymentrequestid=${id}`);
    assert.deepEqual(listed.body.transactions, [transaction]);
  });

  test("one event when it is created, one when it is completed, and one of its transaction", async () => {
    const { id, payId } = await shop.request();
    await shop.pay(payId, 3000);
    const told = await shop.told(id);
    assert.deepEqual(
      told.map(({ event, payload }) => [event, payload.paymentRequestStatus]),
      [
        ["payment_requests", "created"],
        ["payment_requests", "completed"],
      ],
    );
    const request = await shop.read(id);
    assert.deepEqual(told[1].payload, request, "the payload is the resource as its GET answers it");
    const [transaction, ...more] = await shop.told(request.transactionResult.id);
    assert.equal(transaction.event, "transactions");
    assert.deepEqual(transaction.payload, await shop.transaction(request.transactionResult.id));
    assert.deepEqual(more, []);
  });

  test("a PayID can be typed in any case, with spaces around it", async () => {
    const { id, payId } = await shop.request();
    assert.equal((await shop.pay(` ${payId.toUpperCase()} `, 3000)).status, "accepted");
    const { transactionResult } = await shop.read(id);
    assert.equal((await shop.transaction(transactionResult.id)).payment.instrument.payId.email, payId);
  });
});

describe("contract 8: any other transfer is returned to the sender and recorded", () => {
  test("short by a cent and over by a cent are returned, and the request can still be paid", async () => {
    const { id, payId } = await shop.request();
    for (const [amount, reason] of [
      [2999, "short"],
      [3001, "over"],
    ] as const) {
      const { status, reason: said } = await shop.pay(payId, amount);
      assert.deepEqual([status, said], ["returned", reason]);
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

  test("each return is one event, and updatedDateTime grows", async () => {
    const { id, payId } = await shop.request();
    await shop.pay(payId, 1);
    await shop.pay(payId, 3000);
    await shop.pay(payId, 3000);
    const told = await shop.told(id);
    assert.deepEqual(
      told.map(({ payload }) => [payload.paymentRequestStatus, payload.payIdReturns?.length ?? 0]),
      [
        ["created", 0],
        ["created", 1],
        ["completed", 1],
        ["completed", 2],
      ],
    );
    const times = told.map(({ payload }): string => payload.updatedDateTime);
    assert.deepEqual([...new Set(times)].toSorted(), times);
    assert.deepEqual(told.at(-1).payload, await shop.read(id));
  });

  test("a second payment of one that is paid is a duplicate, whatever its amount", async () => {
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

  test("a cancelled request is closed", async () => {
    const { id, payId } = await shop.request();
    assert.equal((await shop.cancel(id)).status, 200);
    assert.equal((await shop.pay(payId, 3000)).reason, "closed");
    assert.deepEqual(await returns(id), [[3000, "closed"]]);
    assert.equal((await shop.read(id)).paymentRequestStatus, "cancelled");
  });

  test("a hundred returns are shown, the newest; the request's events stay of one size", async () => {
    const { id, payId } = await shop.request();
    for (let amount = 1; amount <= 101; amount += 1) await shop.pay(payId, amount);
    const shown = await returns(id);
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [100, [2, "short"], [101, "short"]]);
  });
});

describe("contract 3: late is late by the merchant's clock, whether or not a worker has noticed", () => {
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
        const told = (await own.told(late.id)).map(({ payload }) => payload);
        assert.deepEqual(
          told.map((payload) => [payload.paymentRequestStatus, payload.payIdReturns?.[0].reason]),
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

describe("contract 8: a PayID that a later request has is that request's", () => {
  test("transfers go to the open one, and what the earlier one got stays with it", async () => {
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

  test("a request past its time gives way to a later one, also before a worker has ended it", async () => {
    const own = payIdShop(gateway, (await gateway.newMerchant()).key);
    const earlier = await own.request();
    await own.advance(DAY_SECONDS + 1);
    const later = await own.request({ value: earlier.value });
    assert.equal((await own.pay(earlier.payId, 3000)).status, "accepted");
    assert.equal((await own.read(later.id)).paymentRequestStatus, "completed");
    assert.equal((await own.read(earlier.id)).paymentRequestStatus, "expired");
  });
});
