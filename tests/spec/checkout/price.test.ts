import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
  startDay,
} from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

const VISA = { number: "4111111111111111", securityCode: "123" };
const MASTERCARD = { number: "5555555555554444", securityCode: "123" };
const AMEX = { number: "378282246310005", securityCode: "1234" };
/** Passes the Luhn check and belongs to no scheme. */
const NO_SCHEME = { number: "9999999999999995", securityCode: "123" };

const DAY = 24 * 60 * 60;

describe("contract 8: surcharges, and the price shown is the price charged", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => assertInvariantsAndStop(gateway));

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const surcharging = async (shop: Shop, rates: object, enabled = true) =>
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled, rates } }));

  async function charged(shop: Shop, id: string) {
    const { payment } = await getTransaction(shop, id);
    return [payment.amount, payment.surcharge, payment.totalAmount, payment.capturedAmount];
  }

  test("each card type has its own rate; a type without a rate has no surcharge", async () => {
    const shop = await newShop();
    await surcharging(shop, { visa: { percent: 1.2 }, amex: { percent: 2.5, fixed: 30 } });
    const frame = await openFrame(shop);
    assert.deepEqual(frame.shown.surcharging, {
      rates: { visa: { percent: 1.2, fixed: 0 }, amex: { percent: 2.5, fixed: 30 } },
    });
    for (const [card, surcharge] of [
      [VISA, 36],
      [AMEX, 105],
      [MASTERCARD, 0],
      [NO_SCHEME, 0],
    ] as const) {
      const { transactionId } = await payOnce(shop, {}, { card, total: 3000 + surcharge });
      assert.deepEqual(await charged(shop, transactionId), [
        3000,
        surcharge,
        3000 + surcharge,
        3000 + surcharge,
      ]);
    }
  });

  test("disabled rates are neither shown nor charged", async () => {
    const shop = await newShop();
    await surcharging(shop, { visa: { percent: 1.2 } }, false);
    const frame = await openFrame(shop);
    assert.equal(frame.shown.surcharging, null);
    assert.equal(ok(await frame.pay()).state, "approved");
  });

  test("when the price changes after the form loads, the payer must confirm the new price", async () => {
    const shop = await newShop();
    const frame = await openFrame(shop);
    await surcharging(shop, { visa: { percent: 1.5 } });
    const refused = await frame.pay({ total: 3000 });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body.result.codes, [
      {
        ...shownCode("V11613 checkout_total_changed", gateway.baseUrl),
        field: "/total",
        expected: 3045,
        given: 3000,
      },
    ]);
    assert.equal(ok(await frame.outcome()).state, "none");
    const paid = ok(await frame.pay({ total: 3045 }));
    assert.equal(paid.state, "approved");
    assert.deepEqual(await charged(shop, paid.transactionId), [3000, 45, 3045, 3045]);
  });

  test("a total that differs from the price or is not an amount is refused", async () => {
    const shop = await newShop();
    const frame = await openFrame(shop);
    for (const total of [2999, 3001, 1, 199_999_999_998]) {
      const refused = await frame.pay({ total });
      assert.deepEqual(problemsOf(refused), ["V11613 /total"]);
      assert.equal(refused.body.result.codes[0].expected, 3000);
      assert.equal(refused.body.result.codes[0].given, total);
    }
    for (const total of [0, -3000, 3000.5, "3000", null]) {
      const refused = await frame.pay({ total });
      assert.equal(refused.status, 400);
      assert.deepEqual(problemsOf(refused), ["V11613 /total"]);
    }
    assert.equal(ok(await frame.pay()).state, "approved");
  });

  test("a dated rate applies from its first day to its last, in the merchant's time zone", async () => {
    const shop = await startDay(await newShop());
    const { currentDateTime } = ok(await callApi(shop, "POST", "/sandbox/clock/advance", { seconds: 1 }));
    const dayAfter = (days: number) =>
      new Intl.DateTimeFormat("en-CA", { timeZone: "Australia/Sydney" }).format(
        Date.parse(currentDateTime) + days * DAY * 1000,
      );
    await surcharging(shop, { visa: { percent: 1, from: dayAfter(2), until: dayAfter(3) } });
    const on = async (surcharge: number) => {
      const frame = await openFrame(shop);
      const shown = surcharge === 0 ? {} : { visa: { percent: 1, fixed: 0 } };
      assert.deepEqual(frame.shown.surcharging.rates, shown);
      const { transactionId } = ok(await frame.pay({ total: 3000 + surcharge }));
      assert.equal((await getTransaction(shop, transactionId)).payment.surcharge, surcharge);
    };
    await on(0);
    await advanceClock(shop, 2 * DAY);
    await on(30);
    await advanceClock(shop, DAY);
    await on(30);
    await advanceClock(shop, DAY);
    await on(0);
  });

  test("the sandbox scenario depends on the amount, not the total", async () => {
    const shop = await newShop();
    await surcharging(shop, { visa: { fixed: 51 } });
    const approved = await payOnce(shop, { amount: 14_400 }, { total: 14_451 });
    assert.equal(approved.paid.state, "approved");
    const declined = await payOnce(shop, { amount: 14_451 }, { total: 14_502 });
    assert.equal(declined.paid.result.codes[0].id, "D04451");
  });

  test("the acquirer authorises the total", async () => {
    const shop = await newShop();
    await surcharging(shop, { visa: { percent: 10 } });
    const { transactionId } = await payOnce(shop, {}, { total: 3300 });
    const lines = await gateway.database.rows(
      "select amount::int from sandbox_ledger where kind = 'authorisation' and reference = $1",
      [transactionId],
    );
    assert.deepEqual(lines, [{ amount: 3300 }]);
  });
});
