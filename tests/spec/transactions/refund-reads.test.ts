import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, eventsOf, ok, payOnce, problemsOf, type Shop, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

type Refund = {
  readonly id: string;
  readonly location: string;
  readonly transactionId: string;
  readonly createdDateTime: string;
};

describe("contract 5: reading and listing refunds", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let otherShop: Shop;
  let transactions: readonly string[];
  /** Newest first. */
  const made: Refund[] = [];

  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" } });
    shop = shopOf(gateway, (await gateway.newMerchant()).key);
    otherShop = shopOf(gateway, (await gateway.newMerchant()).key);
    const [first, second] = [await payOnce(shop, {}), await payOnce(shop, {})];
    transactions = [first.transactionId, second.transactionId];
    for (const [transaction, reference] of [
      [0, "one"],
      [1, "two"],
      [0, "two"],
      [1, "one"],
    ] as const) {
      const body = { reference, payment: { amount: 100 } };
      made.unshift(
        ok(await callApi(shop, "POST", `/transactions/${transactions[transaction]}/refunds`, body)),
      );
    }
    const other = await payOnce(otherShop, {});
    ok(await callApi(otherShop, "POST", `/transactions/${other.transactionId}/refunds`));
  });
  after(() => gateway.stop());

  const idsOf = async (query: string) =>
    ok(await callApi(shop, "GET", `/refunds${query}`)).refunds.map((one: Refund) => one.id) as string[];
  const idsAt = (...places: number[]) => places.map((place) => made[place]?.id);

  test("a refund is read at its location, by its id among transactions, and among refunds", async () => {
    for (const refund of made) {
      const location = new URL(refund.location);
      assert.equal(location.origin, gateway.baseUrl);
      for (const path of [location.pathname, `/transactions/${refund.id}`, `/refunds/${refund.id}`]) {
        assert.deepEqual(ok(await callApi(shop, "GET", path)), refund);
      }
    }
  });

  test("another merchant's refund is unknown at each of these paths", async () => {
    const [refund] = made;
    for (const path of [`/transactions/${refund?.id}`, `/refunds/${refund?.id}`]) {
      const answer = await callApi(otherShop, "GET", path);
      assert.equal(answer.status, 404);
      assert.deepEqual(problemsOf(answer), ["V11010"]);
    }
    for (const path of ["/transactions/rfd_x", `/refunds/${transactions[0]}`]) {
      assert.equal((await callApi(shop, "GET", path)).status, 404);
    }
  });

  test("the event of a refund carries its location", async () => {
    for (const refund of made) {
      const [event] = await eventsOf(shop, refund.id);
      assert.deepEqual(event?.payload, refund);
    }
  });

  test("lists all of a merchant's refunds, newest first, in pages", async () => {
    const page = ok(await callApi(shop, "GET", "/refunds"));
    assert.deepEqual(Object.keys(page), ["count", "refunds", "nextCursor", "result"]);
    assert.deepEqual(page.refunds, made);
    const first = ok(await callApi(shop, "GET", "/refunds?limit=3"));
    const rest = ok(await callApi(shop, "GET", `/refunds?limit=3&cursor=${first.nextCursor}`));
    assert.deepEqual([...first.refunds, ...rest.refunds], made);
    assert.equal(rest.nextCursor, null);
  });

  test("filters refunds by transaction, reference, status and time of creation", async () => {
    assert.deepEqual(await idsOf(`?transactionid=${transactions[0]}`), idsAt(1, 3));
    assert.deepEqual(await idsOf("?reference=one"), idsAt(0, 3));
    assert.deepEqual(await idsOf(`?reference=one&transactionid=${transactions[1]}`), idsAt(0));
    assert.deepEqual(await idsOf("?status=pending"), idsAt(0, 1, 2, 3));
    assert.deepEqual(await idsOf("?status=approved"), []);
    const range = `createdFrom=${made[2]?.createdDateTime}&createdTo=${made[0]?.createdDateTime}`;
    assert.deepEqual(await idsOf(`?${range}`), idsAt(1, 2));
    const wrong = await callApi(shop, "GET", "/refunds?transactionid=&status=paid&colour=red");
    assert.equal(wrong.status, 400);
    assert.deepEqual(problemsOf(wrong), ["V11004 /colour", "V11024 /status", "V12060 /transactionid"]);
  });
});
