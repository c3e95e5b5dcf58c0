import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  callApi,
  getTransaction,
  ok,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readPages } from "../../support/pages.ts";

type Listed = { readonly id: string; readonly createdDateTime: string };

describe("contract 5: reading and listing transactions", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let otherShop: Shop;
  /** Newest first. */
  const made: { id: string; requestId: string; reference: string; status: string }[] = [];

  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway, (await gateway.newMerchant()).key);
    otherShop = shopOf(gateway, (await gateway.newMerchant()).key);
    for (const [reference, amount] of [
      ["one", 3000],
      ["two", 14_451],
      ["one", 14_451],
      ["two", 3000],
      ["one", 3000],
    ] as const) {
      const { paid, requestId, transactionId } = await payOnce(shop, { reference, amount });
      made.unshift({ id: transactionId, requestId, reference, status: paid.state });
    }
    await payOnce(otherShop, { reference: "one" });
  });
  after(() => gateway.stop());

  const list = async (query: string, on: Shop = shop) =>
    ok(await callApi(on, "GET", `/transactions${query}`));
  const idsOf = async (query: string) =>
    (await list(query)).transactions.map((one: Listed) => one.id) as string[];
  const idsWhere = (test: (one: (typeof made)[number]) => boolean) => made.filter(test).map(({ id }) => id);

  test("lists all of a merchant's transactions, newest first, each as GET returns it", async () => {
    const page = await list("");
    assert.deepEqual(Object.keys(page), ["count", "transactions", "nextCursor", "result"]);
    assert.equal(page.count, 5);
    assert.equal(page.nextCursor, null);
    assert.deepEqual(page.result, { mode: "sandbox", status: "ok" });
    assert.deepEqual(
      await idsOf(""),
      idsWhere(() => true),
    );
    for (const one of page.transactions) assert.deepEqual(one, await getTransaction(shop, one.id));
  });

  test("filters by payment request", async () => {
    for (const { id, requestId } of made)
      assert.deepEqual(await idsOf(`?paymentrequestid=${requestId}`), [id]);
    assert.deepEqual(await idsOf("?paymentrequestid=pr_unknown"), []);
    assert.equal((await list(`?paymentrequestid=${made[0]?.requestId}`, otherShop)).count, 0);
  });

  test("filters by reference, by status, and by both", async () => {
    assert.deepEqual(
      await idsOf("?reference=one"),
      idsWhere((one) => one.reference === "one"),
    );
    assert.deepEqual(
      await idsOf("?status=declined"),
      idsWhere((one) => one.status === "declined"),
    );
    assert.deepEqual(
      await idsOf("?reference=one&status=approved"),
      idsWhere((one) => one.reference === "one" && one.status === "approved"),
    );
    assert.deepEqual(await idsOf("?status=pending"), []);
    assert.deepEqual(await idsOf("?reference=ONE"), []);
  });

  test("filters by customer, and an unknown customer has none", async () => {
    assert.deepEqual(await idsOf("?customerid=cus_0000000000000000000000000000x"), []);
  });

  test("combines all filters, and one mismatch excludes a transaction", async () => {
    const [newest] = made;
    const fit = `?paymentrequestid=${newest?.requestId}&reference=one&status=approved`;
    assert.deepEqual(await idsOf(fit), [newest?.id]);
    assert.deepEqual(await idsOf(`${fit}&customerid=cus_1`), []);
    assert.deepEqual(await idsOf(fit.replace("approved", "declined")), []);
  });

  test("createdFrom is inclusive, createdTo is exclusive", async () => {
    const times: string[] = (await list("")).transactions.map((one: Listed) => one.createdDateTime);
    const [, from = "", , to = ""] = times.toReversed();
    assert.deepEqual(
      await idsOf(`?createdFrom=${from}&createdTo=${to}`),
      made.slice(2, 4).map(({ id }) => id),
    );
    assert.deepEqual(await idsOf(`?createdFrom=${to}&reference=one`), [made[0]?.id]);
  });

  test("pages contain every transaction once, with and without filters", async () => {
    for (const [filter, all] of [
      ["", idsWhere(() => true)],
      ["&reference=one", idsWhere((one) => one.reference === "one")],
      [
        "&status=approved&reference=two",
        idsWhere((one) => one.status === "approved" && one.reference === "two"),
      ],
    ] as const) {
      for (const limit of [1, 2, 3, 5]) {
        const pages = await readPages((cursor) => list(`?limit=${limit}${filter}${cursor}`));
        for (const { count, transactions } of pages) {
          assert.equal(count, transactions.length);
          assert.ok(count <= limit);
        }
        assert.deepEqual(
          pages.flatMap(({ transactions }) => transactions.map((one: Listed) => one.id)),
          all,
        );
      }
    }
  });

  test("an invalid query is refused with all its problems", async () => {
    const answer = await callApi(shop, "GET", "/transactions?status=paid&limit=0&cursor=x&colour=red");
    assert.equal(answer.status, 400);
    assert.deepEqual(problemsOf(answer), [
      "V11004 /colour",
      "V11020 /limit",
      "V11021 /cursor",
      "V11024 /status",
    ]);
    const range = "createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z";
    assert.deepEqual(problemsOf(await callApi(shop, "GET", `/transactions?limit=0&${range}`)), [
      "V11020 /limit",
      "V11023 /createdTo",
    ]);
    for (const [query, problem] of [
      ["?limit=101", "V11020 /limit"],
      ["?cursor=x", "V11021 /cursor"],
      ["?createdFrom=yesterday", "V11022 /createdFrom"],
      [`?${range}`, "V11023 /createdTo"],
      ["?paymentrequestid=", "V11028 /paymentrequestid"],
      [`?customerid=${"x".repeat(65)}`, "V11029 /customerid"],
      ["?reference=", "V11025 /reference"],
    ] as const) {
      assert.deepEqual(problemsOf(await callApi(shop, "GET", `/transactions${query}`)), [problem]);
    }
  });

  test("another merchant's transaction is 404, like an unknown one", async () => {
    const answers = await Promise.all([
      callApi(otherShop, "GET", `/transactions/${made[0]?.id}`),
      callApi(otherShop, "GET", "/transactions/txn_00000000000000000000000000000"),
      callApi(otherShop, "GET", "/transactions/nonsense"),
    ]);
    for (const answer of answers) {
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, answers[0].body);
    }
    assert.equal((await list("", otherShop)).count, 1);
  });

  test("paths are case-insensitive, ids are case-sensitive", async () => {
    const id = made[0]?.id ?? "";
    assert.equal((await callApi(shop, "GET", `/TRANSACTIONS/${id}`)).status, 200);
    assert.equal((await callApi(shop, "GET", `/transactions/${id.toUpperCase()}`)).status, 404);
  });
});
