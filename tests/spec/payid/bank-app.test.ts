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

type Named = { readonly id: string; readonly payId: string; readonly bankApp: string };

/** Submits the form of a link; returns the response. */
async function pay(
  { id, payId, bankApp }: Named,
  amount: string,
  more: Readonly<Record<string, string>> = {},
) {
  const transfer = hiddenField(await visit(bankApp), "id") ?? "";
  return visit(`${APP}/${id}`, { id: transfer, payId, amount, ...more });
}

describe("the sandbox's bank app without scripts", () => {
  test("the form is one page with its security policy; it shows the request that its link names", async () => {
    const named = await shop.request({ amount: 123_450 });
    const { status, headers, text, state } = await visit(named.bankApp);
    assert.deepEqual([status, state], [200, "ready"]);
    assert.equal((text.match(/<main/g) ?? []).length, 1);
    assert.match(text, /Sandbox merchant/);
    assert.ok(text.includes(named.payId));
    assert.match(text, /value="\$1,234\.50"/, "the exact amount is filled in");
    assert.doesNotMatch(text, /<script|<style| style=|\son\w+=/);
    assert.match(text, /\/sandbox\/clock\/advance/, "the page explains how to make a late transfer");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.equal(headers.get("cache-control"), "no-store");
  });

  test("without its link a request is neither shown nor paid", async () => {
    const [mine, other] = [await shop.request(), await shop.request()];
    const id = hiddenField(await visit(mine.bankApp), "id") ?? "";
    const unknown = `${mine.id.slice(0, -1)}${mine.id.endsWith("0") ? "1" : "0"}`;
    const payId = (one: Named) => new URLSearchParams({ payId: one.payId }).toString();
    for (const path of [
      APP,
      `${APP}?${payId(mine)}&amount=30.00`,
      `${APP}/${mine.id}`,
      `${APP}/${mine.id}?${payId(other)}`,
      `${APP}/${mine.id}?payId=nothing`,
      `${APP}/${unknown}?${payId(mine)}`,
      `${APP}/nonsense?${payId(mine)}`,
    ]) {
      const { status, text } = await visit(path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(text, /\$30\.00|Sandbox merchant/, path);
    }
    for (const [path, form] of [
      [APP, { payId: mine.payId }],
      [`${APP}/${mine.id}`, {}],
      [`${APP}/${mine.id}`, { payId: other.payId }],
      [`${APP}/${unknown}`, { payId: mine.payId }],
    ] as const) {
      assert.equal((await visit(path, { id, amount: "30.00", ...form })).status, 404, path);
    }
    for (const one of [mine, other]) {
      assert.equal((await shop.read(one.id)).paymentRequestStatus, "created");
    }
    assert.equal((await pay(mine, "30.00")).status, 303, "with its link it is");
    assert.equal((await shop.read(mine.id)).paymentRequestStatus, "completed");
  });

  test("a link does not pay another merchant's request that has the same PayID later", async () => {
    const first = await shop.request();
    const id = hiddenField(await visit(first.bankApp), "id") ?? "";
    await shop.cancel(first.id);
    const theirs = payIdShop(gateway, (await gateway.newMerchant()).key);
    const later = await theirs.request({ value: first.value });
    assert.equal(later.payId, first.payId);
    assert.equal((await visit(first.bankApp)).status, 404);
    const form = { id, payId: first.payId, amount: "30.00" };
    assert.equal((await visit(`${APP}/${first.id}`, form)).status, 404);
    assert.equal((await theirs.read(later.id)).paymentRequestStatus, "created");
  });

  test("a repeated parameter and a body that is not a form are answered with a page", async () => {
    const named = await shop.request();
    const twice = await visit(named.bankApp.replace("?", "?payId=a&"));
    assert.deepEqual([twice.status, twice.state], [200, "ready"]);
    const answer = await fetch(`${gateway.hostedUrl.replace("localhost", "127.0.0.1")}${named.bankApp}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ payId: 1, amount: {} }),
    });
    assert.equal(answer.status, 415);
    assert.match(await answer.text(), /data-state="error"/);
  });

  test("an exact amount is accepted, and the result page is safe to reload", async () => {
    const named = await shop.request({ amount: 123_450 });
    const { id } = named;
    const { status, location } = await pay(named, "$1,234.50", { payerName: "Ann Lee" });
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

  test("a card number as the payer's name is refused beside its field, and nothing is paid", async () => {
    const named = await shop.request();
    const { status, text } = await pay(named, "30.00", { payerName: "4111 1111 1111 1111" });
    assert.equal(status, 400);
    assert.match(text, /id="payerName-problem">.*Type a name in plain letters/);
    assert.equal((await shop.read(named.id)).paymentRequestStatus, "created");
  });

  for (const [amount, reason] of [
    ["29.99", "short"],
    ["30.01", "over"],
  ] as const) {
    test(`${amount} of 30.00 is returned as ${reason}`, async () => {
      const named = await shop.request();
      const { id } = named;
      const { state, text } = await visit((await pay(named, amount)).location ?? "");
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
    for (const [named, reason] of [
      [late, "late"],
      [paid, "duplicate"],
      [closed, "closed"],
    ] as const) {
      const { text } = await visit((await pay(named, "30")).location ?? "");
      assert.match(text, new RegExp(`Transfer returned: ${reason}`));
    }
  });

  test("a form that is sent twice pays once", async () => {
    const { id, payId, bankApp } = await shop.request();
    const form = { id: hiddenField(await visit(bankApp), "id") ?? "", payId, amount: "30.00" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => visit(`${APP}/${id}`, form)));
    assert.deepEqual([...new Set(answers.map(({ location }) => location))], [`${APP}/${id}/${form.id}`]);
    assert.equal("payIdReturns" in (await shop.read(id)), false);
  });

  test("an invalid value is marked at its field, and the other input stays", async () => {
    const named = await shop.request();
    for (const amount of ["", "0", "-1", "1.234", "thirty", "1,23", "1000000000.00"]) {
      const { status, state, text } = await pay(named, amount, { payerName: "Ann Lee" });
      assert.deepEqual([status, state], [400, "ready"], amount);
      assert.match(text, /id="amount"[^>]*aria-invalid="true"/);
      assert.ok(text.includes('value="Ann Lee"'));
    }
    const control = await pay(named, "1", { payerName: "a\u0007b" });
    assert.equal(control.status, 400);
  });

  test("the link of a live merchant's request is not found", async () => {
    const { id, key } = await gateway.newMerchant();
    const live = await payIdShop(gateway, key).request();
    assert.equal((await visit(live.bankApp)).status, 200, "while the merchant is in the sandbox, it is");
    await gateway.database.rows("update merchants set mode = 'live' where id = $1", [id]);
    assert.equal((await visit(live.bankApp)).status, 404);
    const form = { payId: live.payId, amount: "30.00" };
    assert.equal((await visit(`${APP}/${live.id}`, form)).status, 404);
    assert.deepEqual(
      await gateway.database.rows("select from incoming_transfers where merchant_id = $1", [id]),
      [],
    );
  });

  test("the URL of an unknown transfer, or of another request's, is a 404 page", async () => {
    const [mine, other] = [await shop.request(), await shop.request()];
    const { location = "" } = await pay(mine, "30.00");
    const transfer = location?.split("/").at(-1);
    for (const path of [
      `${mine.id}/nonsense`,
      `${mine.id}/itr_01m7f0xgaj000kn7x615tq8egbgr7`,
      `${other.id}/${transfer}`,
      `${transfer}`,
    ]) {
      const { status, state } = await visit(`${APP}/${path}`);
      assert.equal(status, 404, path);
      assert.equal(state, "error", path);
    }
  });

  test("reads dollar amounts in every usual notation", () => {
    const read = ["30", "30.5", "30.50", "$30", "1,234.50", "0.01", "999999999.99"].map((text) =>
      readCents(text),
    );
    assert.deepEqual(read, [3000, 3050, 3050, 3000, 123_450, 1, 99_999_999_999]);
  });
});
