import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, callFrame, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { DAY_SECONDS, payIdShop } from "../../support/payid.ts";
import { visitPage } from "../../support/visit-page.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway();
  shop = payIdShop(gateway);
});
after(() => gateway.stop());

type Made = { readonly url: string; readonly token: string };
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
const payIdOf = (body: any): Made => body.payment.instrument.payId;
const visit = (address: string, headers: Record<string, string> = {}) =>
  visitPage(gateway, address, undefined, headers);

const call = (path: string, body: unknown, session?: string) => callFrame(gateway, path, body, session);
const opening = (token: string, more: object = {}) =>
  call("/checkout/payid", { token, parentOrigin: "https://shop.example", version: "1.0.0", ...more });
const state = (token: string | undefined) => call("/checkout/payid/state", {}, token);

describe("a PayID request has a page and a token for the merchant's own page", () => {
  test("create, GET, lists and events show both; requests of other flows have neither", async () => {
    const { id, body } = await shop.request();
    const { url, token } = payIdOf(body);
    assert.match(url, new RegExp(`^${gateway.hostedUrl}/payid/[\\w-]{61}$`));
    assert.match(token, /^tok_[0-9a-z]{29}p_[\w-]{32}$/);
    assert.deepEqual(payIdOf(await shop.read(id)), payIdOf(body));
    const [event] = await shop.eventsOf(id);
    assert.deepEqual(payIdOf(event.payload), payIdOf(body));
    const { paymentRequests } = (await gateway.get("/paymentrequests?limit=1")).body;
    assert.deepEqual(payIdOf(paymentRequests[0]), payIdOf(body));
    const { url: other } = payIdOf((await shop.request()).body);
    assert.notEqual(other, url);
  });

  test("POST /tokens goes on refusing it", async () => {
    const { id } = await shop.request();
    const answer = await gateway.post("/tokens", { scope: "payui", paymentRequestId: id });
    assert.equal(answer.status, 409);
  });

  test("the key of its page opens no card payment, and the key of a hosted page opens no PayID", async () => {
    const { body } = await shop.request();
    const { url, token } = payIdOf(body);
    const key = url.split("/").at(-1) ?? "";
    assert.equal((await visit(`/pay/${key}`)).status, 404);
    const card = { number: "4111111111111111", expiryMonth: 12, expiryYear: 2035, securityCode: "123" };
    for (const session of [`page.${key}.0`, token]) {
      const input = { method: "card", card, total: 3000, consent: false };
      assert.equal((await call("/checkout/pay", input, session)).status, 401);
      assert.equal((await call("/checkout/outcome", {}, session)).status, 401);
    }
    assert.equal(
      (
        await call("/checkout/initialise", {
          token,
          parentOrigin: "https://shop.example",
          version: "1.0.0",
        })
      ).status,
      409,
    );

    const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString("base64")}`;
    const hosted = (
      await gateway.post("/paymentrequests", { payment: { amount: 3000 }, hostedPaymentPage: { logo } })
    ).body;
    const hostedKey = hosted.hostedPaymentPage.url.split("/").at(-1);
    assert.equal((await visit(`/pay/${hostedKey}`)).status, 200);
    assert.equal((await visit(`/payid/${hostedKey}`)).status, 404);
    const likeToken = `tok_${hostedKey.slice(0, 29)}p_${hostedKey.slice(29)}`;
    assert.equal((await state(likeToken)).status, 409);
  });

  test("an unknown or malformed key is a page with 404, and a malformed token is refused", async () => {
    const { url, token } = payIdOf((await shop.request()).body);
    const other = url.slice(0, -1) + (url.endsWith("a") ? "b" : "a");
    for (const address of [
      other,
      "/payid/x",
      `/payid/${"a".repeat(65)}`,
      "/payid/%00",
      "/payid/..%2f",
      "/payid/'--",
    ]) {
      const { status, state: shown } = await visit(address);
      assert.deepEqual([status, shown], [404, "error"], address);
    }
    const changed = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
    for (const wrong of [changed, "", "tok_", `${token}x`, token.replace("p_", "_"), "page.x.0", undefined]) {
      assert.equal((await state(wrong)).status, 409, wrong);
    }
    for (const body of [{}, { token }, { token, parentOrigin: "x", version: "2.0.0" }, []]) {
      const { status } = await call("/checkout/payid", body);
      assert.ok(status === 400 || status === 403 || status === 409, `${status} ${JSON.stringify(body)}`);
    }
    assert.equal((await opening(changed)).status, 409);
    assert.equal((await opening(token, { locale: "<script>" })).status, 400);
    assert.equal((await opening(token, { card: "4111111111111111" })).status, 400);
  });
});

describe("the page of a PayID without scripts", () => {
  test("shows the address, the amount, until when, and a way to check again; under a strict policy", async () => {
    const { payId, body } = await shop.request({ amount: 123_450 });
    const { url } = payIdOf(body);
    const { status, state: shown, text, headers } = await visit(url);
    assert.deepEqual([status, shown], [200, "ready"]);
    assert.ok(text.includes(payId));
    assert.match(text, /\$1,234\.50/);
    assert.match(text, /Pay by \d+ \w+ 20\d\d/);
    assert.match(text, new RegExp(`<noscript>.*<a [^>]*href="${new URL(url).pathname}">Check again</a>`));
    assert.match(text, /<svg class="payid-qr"/);
    assert.doesNotMatch(text, /<style| style=|\son\w+=|<script>/);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
  });

  test("shows a transfer that was sent back, then the receipt of the exact one", async () => {
    const { payId, body } = await shop.request({ reference: "order-88" });
    const { url } = payIdOf(body);
    await shop.pay(payId, 2999);
    const short = await visit(url);
    assert.match(short.text, /\$29\.99 arrived and was sent back to you\. Please pay exactly \$30\.00\./);
    assert.equal(short.state, "ready");
    await shop.pay(payId, 3000);
    const paid = await visit(url);
    assert.equal(paid.state, "approved");
    assert.match(paid.text, /Payment received/);
    assert.match(paid.text, /order-88/);
    assert.match(paid.text, /txn_/);
    assert.doesNotMatch(paid.text, /sent back/);
  });

  test("says that it has expired or was cancelled, and no longer how to pay", async () => {
    const cancelled = await shop.request();
    assert.equal((await shop.cancel(cancelled.id)).status, 200);
    const { state: shown, text } = await visit(payIdOf(cancelled.body).url);
    assert.equal(shown, "cancelled");
    assert.ok(!text.includes(cancelled.payId));

    const own = await gateway.newMerchant();
    const other = payIdShop(gateway, own.key);
    const overdue = await other.request();
    await other.advance(DAY_SECONDS - 30);
    assert.equal((await visit(payIdOf(overdue.body).url)).state, "ready");
    await other.advance(31);
    const expired = await visit(payIdOf(overdue.body).url);
    assert.equal(expired.state, "expired");
    assert.ok(!expired.text.includes(overdue.payId));
  });

  test("a merchant's text is text", async () => {
    const payment = {
      amount: 3000,
      description: `</script><img src=x onerror="alert(1)">&amp;"'`,
      instrument: { payId: { type: "single", value: `hostile-${process.pid}` } },
    };
    const { body } = await gateway.post("/paymentrequests", { payment });
    const { text } = await visit(payIdOf(body).url);
    assert.doesNotMatch(text, /<img|<script>/);
    assert.match(text, /&lt;\/script&gt;/);
  });

  test("speaks the request's language, else the browser's", async () => {
    const { body } = await shop.request();
    const arabic = await visit(payIdOf(body).url, { "Accept-Language": "ar" });
    assert.match(arabic.text, /<html lang="ar" dir="rtl">/);
    assert.match(arabic.text, /في انتظار دفعتك/);
    const set = await gateway.post("/paymentrequests", {
      locale: "vi",
      payment: { amount: 3000, instrument: { payId: { type: "single", value: `vi-${process.pid}` } } },
    });
    assert.match((await visit(payIdOf(set.body).url, { "Accept-Language": "ar" })).text, /<html lang="vi">/);
  });
});

describe("what the panel's frame reads", () => {
  test("everything it shows, then how it stands; the token stays valid and pays nothing", async () => {
    const { payId, body } = await shop.request();
    const { token } = payIdOf(body);
    const opened = await opening(token, { language: "en" });
    assert.equal(opened.status, 200, JSON.stringify(opened.body));
    const { qr, secondsLeft, payBy, ...rest } = opened.body;
    assert.ok(qr.size > 20 && /^M\d+ \d+h1v1h-1z/.test(qr.path));
    assert.ok(secondsLeft > DAY_SECONDS - 60 && secondsLeft <= DAY_SECONDS, String(secondsLeft));
    assert.match(payBy, /20\d\d/);
    assert.deepEqual(rest, {
      session: token,
      merchantName: "Sandbox merchant",
      mode: "sandbox",
      payId,
      amount: "$30.00",
      plainAmount: "30.00",
      currencyCode: "AUD",
      state: "waiting",
      result: { mode: "sandbox", status: "ok" },
    });
    assert.equal((await opening(token)).body.state, "waiting", "a reload opens it again");

    await shop.pay(payId, 3001);
    assert.equal((await state(token)).body.returned, "$30.01");
    await shop.pay(payId, 3000);
    const paid = (await state(token)).body;
    assert.equal(paid.state, "received");
    assert.equal(paid.transactionId, (await shop.read((body as { id: string }).id)).transactionResult.id);
    assert.equal("returned" in paid, false);
    // A second transfer comes back; the state stays.
    await shop.pay(payId, 3000);
    assert.equal((await state(token)).body.state, "received");
  });

  test("its texts, where the frame has others", async () => {
    const { token } = payIdOf((await shop.request()).body);
    const { language } = (await opening(token, { language: "en", locale: "zh" })).body;
    assert.deepEqual([language.tag, language.words.copy], ["zh-Hans", "复制"]);
    assert.equal("language" in (await opening(token, { language: "zh-Hans", locale: "zh" })).body, false);
  });

  test("the account's origins apply, to the frame and to what it reads", async () => {
    const own = await gateway.newMerchant();
    const other = payIdShop(gateway, own.key);
    const { token, url } = payIdOf((await other.request()).body);
    const frame = `/checkout/1.0.0/${token.slice(4, 33)}/payid`;
    assert.doesNotMatch((await visit(frame)).headers.get("content-security-policy") ?? "", /frame-ancestors/);
    const changed = await callApi(shopOf(gateway, own.key), "PUT", "/management/account", {
      allowedOrigins: ["https://only.example"],
    });
    assert.equal(changed.status, 200);
    assert.match(
      (await visit(frame)).headers.get("content-security-policy") ?? "",
      /frame-ancestors https:\/\/only\.example/,
    );
    assert.equal((await opening(token)).status, 403);
    assert.equal((await opening(token, { parentOrigin: "https://only.example" })).status, 200);
    assert.equal((await visit(url)).status, 200, "the page of the gateway is no part of the merchant's");
  });
});
