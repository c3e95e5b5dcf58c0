import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readCents } from "../../../src/kernel/money.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { payIdShop } from "../../support/payid.ts";
import { hiddenField, visitPage } from "../../support/visit-page.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway();
  shop = payIdShop(gateway);
});
after(() => gateway.stop());

const visit = (path: string, form?: Readonly<Record<string, string>>) => visitPage(gateway, path, form);
const APP = "/sandbox/bankapp";

/** Submits the form; returns the response. */
async function pay(payId: string, amount: string, more: Readonly<Record<string, string>> = {}) {
  const id = hiddenField(await visit(APP), "id") ?? "";
  return visit(APP, { id, payId, amount, ...more });
}

describe("the sandbox's bank app without scripts", () => {
  test("the form is one page with its security policy, prefilled from the query", async () => {
    const { status, headers, text, state } = await visit(`${APP}?payId=a%22%3E%3Cb%3E&amount=30.00`);
    assert.deepEqual([status, state], [200, "ready"]);
    assert.equal((text.match(/<main/g) ?? []).length, 1);
    assert.match(text, /value="a&quot;&gt;&lt;b&gt;"/);
    assert.match(text, /value="30\.00"/);
    assert.doesNotMatch(text, /<script|<style| style=|\son\w+=/);
    assert.match(text, /\/sandbox\/clock\/advance/, "the page explains how to make a late transfer");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.equal(headers.get("cache-control"), "no-store");
  });

  test("a repeated parameter and a body that is not a form are answered with a page", async () => {
    const twice = await visit(`${APP}?payId=a&payId=b&amount=1&amount=2`);
    assert.deepEqual([twice.status, twice.state], [200, "ready"]);
    assert.match(twice.text, /value="b"/);
    const answer = await fetch(`${gateway.hostedUrl.replace("localhost", "127.0.0.1")}${APP}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ payId: 1, amount: {} }),
    });
    assert.equal(answer.status, 415);
    assert.match(await answer.text(), /data-state="error"/);
  });

  test("an exact amount is accepted, and the result page is safe to reload", async () => {
    const { id, payId } = await shop.request({ amount: 123_450 });
    const { status, location } = await pay(payId, "$1,234.50", { payerName: "Ann Lee" });
    assert.equal(status, 303);
    for (let time = 0; time < 2; time += 1) {
      const { state, text } = await visit(location ?? "");
      assert.equal(state, "approved");
      assert.match(text, /Transfer accepted/);
      assert.match(text, /\$1,234\.50/);
    }
    const request = await shop.read(id);
    assert.equal(request.paymentRequestStatus, "completed");
    const { payment } = await shop.transaction(request.transactionResult.id);
    assert.equal(payment.instrument.payId.payerName, "Ann Lee");
  });

  for (const [amount, reason] of [
    ["29.99", "short"],
    ["30.01", "over"],
  ] as const) {
    test(`${amount} of 30.00 is returned as ${reason}`, async () => {
      const { id, payId } = await shop.request();
      const { state, text } = await visit((await pay(payId, amount)).location ?? "");
      assert.equal(state, "declined");
      assert.match(text, new RegExp(`Transfer returned: ${reason}`));
      assert.equal((await shop.read(id)).payIdReturns[0].reason, reason);
    });
  }

  test("shows the reasons late, duplicate and closed", async () => {
    const own = payIdShop(gateway, (await gateway.newMerchant()).key);
    const [late, paid, closed] = [await own.request(), await own.request(), await own.request()];
    await own.pay(paid.payId, 3000);
    await own.cancel(closed.id);
    await own.advance(2 * 24 * 60 * 60);
    for (const [{ payId }, reason] of [
      [late, "late"],
      [paid, "duplicate"],
      [closed, "closed"],
    ] as const) {
      const { text } = await visit((await pay(payId, "30")).location ?? "");
      assert.match(text, new RegExp(`Transfer returned: ${reason}`));
    }
  });

  test("a form that is sent twice pays once", async () => {
    const { id, payId } = await shop.request();
    const form = { id: hiddenField(await visit(APP), "id") ?? "", payId, amount: "30.00" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => visit(APP, form)));
    assert.deepEqual([...new Set(answers.map(({ location }) => location))], [`${APP}/${form.id}`]);
    assert.equal("payIdReturns" in (await shop.read(id)), false);
  });

  test("an invalid value is marked at its field, and the other input stays", async () => {
    const { payId } = await shop.request();
    for (const amount of ["", "0", "-1", "1.234", "thirty", "1,23", "1000000000.00"]) {
      const { status, state, text } = await pay(payId, amount);
      assert.deepEqual([status, state], [400, "ready"], amount);
      assert.match(text, /id="amount"[^>]*aria-invalid="true"/);
      assert.ok(text.includes(`value="${payId}"`));
    }
    const nothing = await visit(APP, {});
    assert.match(nothing.text, /id="payId"[^>]*aria-invalid="true"/);
    const control = await pay(payId, "1", { payerName: "a\u0007b" });
    assert.equal(control.status, 400);
  });

  test("a PayID of no sandbox merchant is not found, and neither is a live merchant's", async () => {
    const { id, key } = await gateway.newMerchant();
    const live = await payIdShop(gateway, key).request();
    await gateway.database.rows("update merchants set mode = 'live' where id = $1", [id]);
    for (const payId of [live.payId, "unknown@payid.tidegate.test", "nothing"]) {
      const { status, text } = await pay(payId, "30.00");
      assert.equal(status, 404);
      assert.match(text, /No payment request of the sandbox has this PayID/);
    }
    assert.deepEqual(
      await gateway.database.rows("select from incoming_transfers where merchant_id = $1", [id]),
      [],
    );
  });

  test("the URL of an unknown transfer is a 404 page", async () => {
    for (const id of ["nonsense", "itr_01m7f0xgaj000kn7x615tq8egbgr7"]) {
      const { status, state } = await visit(`${APP}/${id}`);
      assert.deepEqual([status, state], [404, "error"]);
    }
  });

  test("reads dollar amounts in every usual notation", () => {
    const read = ["30", "30.5", "30.50", "$30", "1,234.50", "0.01", "999999999.99"].map(readCents);
    assert.deepEqual(read, [3000, 3050, 3050, 3000, 123_450, 1, 99_999_999_999]);
  });
});
