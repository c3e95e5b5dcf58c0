import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { callApi, eventsOf, getTransaction, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { counted } from "../../support/payment-metrics.ts";
import { type ChargeOverrides, chargeOf, type Stored, storedCard } from "../../support/stored-cards.ts";
import { type Point, watchContext } from "../../support/watched-context.ts";

let gateway: TestGateway;
let shop: Shop;
let card: Stored;
/** Pauses the gateway at a point while a test inspects it. */
let pauseAt: (point: Point) => Promise<void> | undefined = () => undefined;
before(async () => {
  gateway = await startTestGateway({ wrapContext: (ctx) => watchContext(ctx, (point) => pauseAt(point)) });
  shop = shopOf(gateway);
  card = await storedCard(shop);
});
after(() => assertInvariantsAndStop(gateway));

const charge = (overrides: ChargeOverrides = {}, stored: Stored = card, headers = {}) =>
  callApi({ ...shop, headers }, "POST", "/transactions", chargeOf(stored, overrides));

async function count(): Promise<number> {
  const { rows } = { rows: await gateway.database.rows("select count(*)::int as n from transactions") };
  return Number((rows[0] as { n: number }).n);
}

describe("spec 4 and contract 5: charging a stored card", () => {
  test("needs the amount only, and returns the transaction as GET returns it later", async () => {
    const made = ok(await charge());
    assert.deepEqual(made, {
      id: made.id,
      reference: made.id,
      createdDateTime: made.createdDateTime,
      updatedDateTime: made.updatedDateTime,
      category: {
        method: "purchase",
        source: "card",
        origin: "internet",
        frequency: "single",
        captureType: "auto",
      },
      payment: {
        amount: 2500,
        surcharge: 0,
        totalAmount: 2500,
        capturedAmount: 2500,
        refundedAmount: 0,
        currencyCode: "AUD",
        instrument: {
          customer: card,
          card: {
            name: "VALUED CARDHOLDER",
            last4: "1111",
            expiryMonth: 12,
            expiryYear: made.payment.instrument.card.expiryYear,
            cardType: "visa",
          },
        },
      },
      captureStatus: "captured",
      acquirer: made.acquirer,
      result: {
        mode: "sandbox",
        status: "approved",
        codes: [shownCode("A02000 approved", gateway.baseUrl)],
      },
    });
    assert.deepEqual(await getTransaction(shop, made.id), made);
    const events = await eventsOf(shop, made.id);
    assert.deepEqual(
      events.map(({ payload }: { payload: { result: { status: string } } }) => payload.result.status),
      ["pending", "approved"],
    );
    const listed = ok(await callApi(shop, "GET", `/transactions?customerid=${card.id}`));
    assert.ok(listed.transactions.some(({ id }: { id: string }) => id === made.id));
  });

  test("accepts every field of a charge", async () => {
    const made = ok(
      await charge({
        reference: "membership 7",
        category: { origin: "telephone", frequency: "recurring", captureType: "manual" },
        currencyCode: "NZD",
        cvn: "123",
      }),
    );
    assert.equal(made.reference, "membership 7");
    assert.deepEqual(made.category, {
      method: "authorisation",
      source: "card",
      origin: "telephone",
      frequency: "recurring",
      captureType: "manual",
    });
    assert.equal(made.payment.currencyCode, "NZD");
    assert.equal(made.captureStatus, "uncaptured");
    const captured = ok(
      await callApi(shop, "POST", `/transactions/${made.id}/capture`, { payment: { amount: 100 } }),
    );
    assert.equal(captured.payment.capturedAmount, 100);
    assert.equal(ok(await callApi(shop, "POST", `/transactions/${made.id}/refunds`)).payment.amount, 100);
  });

  test("returns a decline or a pending outcome, and inquires about the pending one later", async () => {
    const declined = ok(await charge({ amount: 14451 }));
    assert.equal(declined.result.status, "declined");
    assert.equal(declined.result.codes[0].id, "D04451");
    const dropped = ok(await charge({ amount: 14481 }));
    assert.equal(dropped.result.status, "pending");
    const known = await eventually("the outcome is known", async () => {
      const read = await getTransaction(shop, dropped.id);
      return read.result.status !== "pending" && read;
    });
    assert.equal(known.result.status, "approved");
    const unavailable = ok(await charge({ amount: 14482 }));
    assert.equal(unavailable.result.codes[0].id, "D10009");
  });

  test("adds no surcharge, because the payer was shown none", async () => {
    const rates = { visa: { percent: 2, fixed: 0 } };
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    assert.equal(ok(await charge()).payment.totalAmount, 2500);
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: false } }));
  });

  test("an idempotency key charges once and returns the id of the transaction", async () => {
    const headers = { "x-idempotency-key": "charge-1" };
    const made = ok(await charge({}, card, headers));
    const repeat = await charge({ amount: 9900 }, card, headers);
    assert.equal(repeat.status, 409);
    assert.equal(repeat.body.result.codes[0].id, "V10018");
    assert.equal(repeat.body.original.id, made.id);
    const twenty = await Promise.all(
      Array.from({ length: 20 }, () => charge({}, card, { "x-idempotency-key": "charge-2" })),
    );
    assert.equal(twenty.filter(({ status }) => status === 200).length, 1);
  });

  test("the key is processing and names the transaction while the acquirer works, then done", async () => {
    const headers = { "x-idempotency-key": "charge-3" };
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    pauseAt = (point) => {
      if (point !== "authorise:before") return undefined;
      reached.resolve();
      return held.promise;
    };
    const charging = charge({}, card, headers);
    await reached.promise;
    const { original } = (await charge({}, card, headers)).body;
    assert.equal(original.status, "processing");
    assert.equal((await getTransaction(shop, original.id)).result.status, "pending");
    pauseAt = () => undefined;
    held.resolve();
    assert.equal(ok(await charging).id, original.id);
    assert.deepEqual((await charge({}, card, headers)).body.original, { ...original, status: "done" });
  });

  test("the key is done as soon as the outcome is committed", async () => {
    const headers = { "x-idempotency-key": "charge-4" };
    let status: string | undefined;
    pauseAt = async (point) => {
      if (point !== "transaction_change:committed" || status !== undefined) return;
      status = (await charge({}, card, headers)).body.original.status;
    };
    ok(await charge({}, card, headers));
    pauseAt = () => undefined;
    assert.equal(status, "done");
  });

  test("the key of a charge whose outcome stays unknown is done: the transaction is `pending`", async () => {
    const headers = { "x-idempotency-key": "charge-5" };
    const { id } = ok(await charge({ amount: 14_481 }, card, headers));
    assert.deepEqual((await charge({ amount: 14_481 }, card, headers)).body.original.status, "done");
    await eventually("the charge is recovered", async () => {
      return (await getTransaction(shop, id)).result.status === "approved";
    });
  });

  test("every use of the card number is written to the audit log", async () => {
    const before = await gateway.database.rows("select from audit_log where act = 'number_used'");
    ok(await charge());
    const after = await gateway.database.rows("select from audit_log where act = 'number_used'");
    assert.equal(after.length, before.length + 1);
  });
});

describe("contract 5: a charge that is refused", () => {
  test("names the field and changes nothing", async () => {
    const rows = await count();
    const at = "/payment/instrument/customer";
    const other = await storedCard(shop, {}, { card: { number: "378282246310005", securityCode: "1234" } });
    const rowsThen = await count();
    const cases: readonly [object, string, string][] = [
      [{}, "V11730", "/payment"],
      [{ payment: {} }, "V11731", "/payment/amount"],
      [chargeOf(card, { amount: 0 }), "V11731", "/payment/amount"],
      [chargeOf(card, { amount: 100_000_000_000 }), "V11731", "/payment/amount"],
      [chargeOf(card, { currencyCode: "USD" }), "V11732", "/payment/currencyCode"],
      [{ payment: { amount: 1 } }, "V11733", "/payment/instrument"],
      [{ payment: { amount: 1, instrument: {} } }, "V11734", at],
      [chargeOf({ ...card, id: "cus_unknown" }), "V11735", `${at}/id`],
      [chargeOf({ ...card, id: card.paymentInstrumentId }), "V11735", `${at}/id`],
      [chargeOf({ ...card, id: other.id }), "V11736", `${at}/paymentInstrumentId`],
      [chargeOf({ ...card, paymentInstrumentId: "pi_unknown" }), "V11736", `${at}/paymentInstrumentId`],
      [chargeOf(card, { cvn: "12" }), "V11737", `${at}/cvn`],
      [chargeOf(card, { cvn: "1234" }), "V11737", `${at}/cvn`],
      [chargeOf(other, { cvn: "123" }), "V11737", `${at}/cvn`],
      [chargeOf(card, { category: { origin: "fax" } }), "V11739", "/category/origin"],
      [chargeOf(card, { category: { frequency: "often" } }), "V11740", "/category/frequency"],
      [chargeOf(card, { category: { captureType: "later" } }), "V11741", "/category/captureType"],
      [{ ...chargeOf(card), reference: "x".repeat(65) }, "V10004", "/reference"],
    ];
    for (const [body, code, field] of cases) {
      const answer = await callApi(shop, "POST", "/transactions", body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      const codes: { id: string; field: string }[] = answer.body.result.codes;
      assert.ok(
        codes.some((one) => one.id === code && one.field === field),
        `${code} ${field}: ${JSON.stringify(codes)}`,
      );
    }
    assert.equal(await count(), rowsThen);
    assert.equal(rowsThen, rows + 1);
    // Control: both limits of the amount and a security code of the right length are accepted.
    for (const amount of [1, 99_999_999_999]) ok(await charge({ amount }));
    ok(await charge({ cvn: "1234" }, other));
  });

  test("returns every problem at once, including those found in the database", async () => {
    const customer = ["V11735", "/payment/instrument/customer/id"] as const;
    const instrument = ["V11736", "/payment/instrument/customer/paymentInstrumentId"] as const;
    const code = ["V11737", "/payment/instrument/customer/cvn"] as const;
    const amount = ["V11731", "/payment/amount"] as const;
    const unknownCustomer = { id: "cus_unknown", paymentInstrumentId: "pi_unknown" };
    assertRefused(await charge({}, unknownCustomer), 400, customer, instrument);
    assertRefused(await charge({}, { ...card, id: unknownCustomer.id }), 400, customer);
    assertRefused(await charge({ amount: 0 }, unknownCustomer), 400, amount, customer, instrument);
    const unknown = { ...card, paymentInstrumentId: unknownCustomer.paymentInstrumentId };
    assertRefused(await charge({ amount: 0 }, unknown), 400, amount, instrument);
    assertRefused(await charge({ amount: 0, cvn: "1234" }), 400, amount, code);
    assertRefused(await charge({ amount: 0 }), 400, amount);
  });

  test("an unknown customer is refused", async () => {
    const answer = await callApi(
      shop,
      "POST",
      "/transactions",
      chargeOf({ ...card, id: `cus_${"0".repeat(29)}` }),
    );
    assertRefused(answer, 400, ["V11735", "/payment/instrument/customer/id"]);
  });

  test("a deleted instrument cannot be charged; its past transaction stays readable", async () => {
    const stored = await storedCard(shop);
    const paid = ok(await charge({}, stored));
    const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
    ok(await gateway.call(path, { method: "DELETE" }));
    assertRefused(await charge({}, stored), 400, [
      "V11736",
      "/payment/instrument/customer/paymentInstrumentId",
    ]);
    assert.deepEqual(await getTransaction(shop, paid.id), paid);
  });

  test("a merchant without the card capability is refused", async () => {
    ok(await callApi(shop, "PUT", "/management/account", { capabilities: { cardNotPresent: false } }));
    assertRefused(await charge(), 403, "V11742");
    ok(await callApi(shop, "PUT", "/management/account", { capabilities: { cardNotPresent: true } }));
    ok(await charge());
  });

  test("a card number that was tampered with is never sent, and the charge is declined", async () => {
    const stored = await storedCard(shop);
    await gateway.database.rows(
      "update vault_secrets set ciphertext = set_byte(ciphertext, 0, get_byte(ciphertext, 0) # 1) where instrument_id = $1",
      [stored.paymentInstrumentId],
    );
    const { id, result } = ok(await charge({}, stored));
    assert.equal(result.status, "pending");
    const unreadable = await gateway.database.rows(
      "select from audit_log where act = 'number_unreadable' and subject_id = $1",
      [stored.paymentInstrumentId],
    );
    assert.equal(unreadable.length, 1);
    assert.deepEqual(await counted([gateway], "tidegate_control_failures_total"), { "control=number": 1 });
    await gateway.database.rows("update jobs set due_at = now() where subject_id = $1", [id]);
    const known = await eventually("the charge is declined", async () => {
      const read = await getTransaction(shop, id);
      return read.result.status === "declined" && read;
    });
    assert.equal(known.result.codes[0].id, "D10009");
  });
});
