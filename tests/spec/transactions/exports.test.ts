import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, ok, payOnce, problemsOf, type Shop, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const COLUMNS = "id,transactionId,reference,createdDateTime,updatedDateTime,amount,currencyCode,status,";

type Listed = {
  readonly id: string;
  readonly transactionId?: string;
  readonly reference: string;
  readonly createdDateTime: string;
  readonly updatedDateTime: string;
  readonly payment: { readonly amount: number; readonly currencyCode: string };
  readonly result: { readonly status: string };
};

describe("contract 5: exports", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway, (await gateway.newMerchant()).key);
    for (const [reference, amount] of [
      ["=1+1", 3000],
      ["+61 400", 14_451],
      ['a, "b"', 2000],
    ] as const) {
      await payOnce(shop, { reference, amount });
    }
    const { transactionId } = await payOnce(shop, { reference: "-1" });
    for (const reference of ["@sum", "plain"]) {
      const body = { reference, payment: { amount: 100 } };
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, body));
    }
    const other = shopOf(gateway, (await gateway.newMerchant()).key);
    await payOnce(other, {});
  });
  after(() => gateway.stop());

  async function linesOf(path: string): Promise<readonly string[]> {
    const answer = await callApi(shop, "GET", path);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
    assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="[\w-]+\.csv"$/);
    const lines = (answer.body as string).split("\r\n");
    assert.equal(lines.at(-1), "");
    assert.ok(lines[0]?.startsWith(COLUMNS), lines[0]);
    return lines.slice(1, -1);
  }

  function lineOf(one: Listed): string {
    const guarded = /^[=+\-@]/.test(one.reference) ? `'${one.reference}` : one.reference;
    const reference = guarded.includes('"') ? `"${guarded.replaceAll('"', '""')}"` : guarded;
    const { amount, currencyCode } = one.payment;
    const times = `${one.createdDateTime},${one.updatedDateTime}`;
    return `${one.id},${one.transactionId ?? one.id},${reference},${times},${amount},${currencyCode},${one.result.status},`;
  }

  test("has the rows of the list, in its order, with the same filters", async () => {
    const from = "updatedFrom=2020-01-01T00:00:00Z";
    for (const [name, filters] of [
      ["transactions", ["", "status=approved", "reference=-1", from, `status=declined&${from}`]],
      ["refunds", ["", "reference=%40sum", "status=declined", from]],
    ] as const) {
      for (const filter of filters) {
        const listed: Listed[] = ok(await callApi(shop, "GET", `/${name}?limit=100&${filter}`))[name];
        const lines = await linesOf(`/${name}.csv?${filter}`);
        assert.equal(lines.length, listed.length, `${name} ${filter}`);
        for (const [index, one] of listed.entries()) {
          assert.ok(lines[index]?.startsWith(lineOf(one)), `${lines[index]} is not ${lineOf(one)}`);
        }
      }
    }
    assert.equal((await linesOf("/transactions.csv")).length, 4);
    assert.equal((await linesOf("/refunds.csv")).length, 2);
  });

  test("is a file with a name of its own; a list and a refusal are none", async () => {
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const [{ id }] = ok(await callApi(shop, "GET", "/payouts")).payouts;
    for (const [path, name] of [
      ["/transactions.csv", "transactions.csv"],
      ["/TRANSACTIONS.CSV?status=approved", "transactions.csv"],
      ["/refunds.csv", "refunds.csv"],
      [`/payouts/${id}.csv`, `${id}.csv`],
      [`/PAYOUTS/${id}.CSV`, `${id}.csv`],
      [`/payouts/${id}/lines`, `${id}-lines.csv`],
    ] as const) {
      const { headers } = await callApi(shop, "GET", path);
      assert.equal(headers.get("content-disposition"), `attachment; filename="${name}"`);
    }
    for (const path of ["/transactions", "/transactions.csv?limit=1", "/payouts/po_x.csv"])
      assert.equal((await callApi(shop, "GET", path)).headers.get("content-disposition"), null);
  });

  test("has no pages: limit, cursor and unknown filters are refused", async () => {
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const [payout] = ok(await callApi(shop, "GET", "/payouts")).payouts;
    for (const path of ["/transactions.csv", "/refunds.csv", `/payouts/${payout.id}.csv`]) {
      const answer = await callApi(shop, "GET", `${path}?limit=1&cursor=x&colour=red`);
      assert.equal(answer.status, 400);
      assert.deepEqual(problemsOf(answer), ["V11004 /colour", "V11004 /cursor", "V11004 /limit"]);
    }
    const wrong = await callApi(shop, "GET", "/transactions.csv?status=paid&createdFrom=now");
    assert.deepEqual(problemsOf(wrong), ["V11022 /createdFrom", "V11024 /status"]);
    for (const path of ["/payouts/po_x.csv", `/payouts/${payout.id}.pdf`]) {
      assert.equal((await callApi(shop, "GET", path)).status, 404, path);
    }
  });
});
