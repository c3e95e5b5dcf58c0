import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { advanceClock, callApi, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted, LOGO } from "../../support/hosted-page.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

describe("contract 3 and 11: the hosted page", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => gateway.stop());

  test("its URL cannot be guessed and contains nothing of the request", async () => {
    const first = await createHosted(shop);
    const second = await createHosted(shop);
    const [one, two] = [first, second].map(({ hostedPaymentPage }) => String(hostedPaymentPage.url));
    assert.notEqual(one, two);
    assert.match(one ?? "", /\/pay\/[\w-]{32,}$/);
    assert.ok(!one?.includes(first.id));
  });

  test("its first heading is its only h1, with an order and a form as after the payment", async () => {
    const lineItems = [{ title: "Tea", amount: 3000 }];
    const { hostedPaymentPage, id } = await createHosted(shop, { amount: 3000, page: { lineItems } });
    const levels = async () => {
      const { text } = await visitPage(shop, hostedPaymentPage.url);
      return [...text.matchAll(/<(h[1-6])\b/g)].map(([, level]) => level);
    };
    assert.deepEqual(await levels(), ["h1"]);
    ok(await callApi(shop, "POST", `/paymentrequests/${id}/cancel`));
    const after = await levels();
    assert.equal(after[0], "h1");
    assert.equal(after.filter((level) => level === "h1").length, 1);
  });

  test("is not cached, cannot be framed, and sends no referrer", async () => {
    const { hostedPaymentPage } = await createHosted(shop);
    const { headers, status } = await visitPage(shop, hostedPaymentPage.url);
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /img-src 'self';/);
    assert.match(policy, /form-action 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*|data:/);
  });

  test("a total whose lines were not rounded one by one shows the difference, and no other total does", async () => {
    const lineItems = [1, 2, 3].map((at) => ({ title: `part ${at}`, amount: 1001, quantity: 0.5 }));
    const shown = async (amount: number) => {
      const { hostedPaymentPage } = await createHosted(shop, { amount, page: { lineItems } });
      return (await visitPage(shop, hostedPaymentPage.url)).text;
    };
    const rounded = await shown(1502);
    assert.match(
      rounded,
      /Subtotal<\/dt><dd>\$15\.03<[\s\S]*Rounding<\/dt><dd>-\$0\.01<[\s\S]*Total<\/dt><dd>\$15\.02</,
    );
    assert.doesNotMatch(await shown(1503), /Rounding|Subtotal/);
  });

  test("item pictures come from the hosted origin; the Content-Security-Policy allows no other", async () => {
    const hosts = ["cdn.example", "a;sandbox", "*", "[::1]:8443"];
    const { hostedPaymentPage } = await createHosted(shop, {
      amount: hosts.length,
      page: {
        redirectUrl: "https://shop.example:8443/thanks?order=1",
        lineItems: hosts.map((host) => ({ title: "a", amount: 1, image: `https://${host}/a.png` })),
      },
    });
    const { headers, text } = await visitPage(shop, hostedPaymentPage.url);
    const policy = headers.get("content-security-policy") ?? "";
    assert.ok(policy.includes("img-src 'self';"), policy);
    assert.ok(policy.includes("form-action 'self';"), policy);
    assert.match(policy, /; script-src 'self' 'sha384-[\w+/]{64}';/);
    assert.doesNotMatch(text, /cdn\.example/);
    assert.match(text, /<img src="\/pay\/[\w-]+\/items\/0"/);
  });

  test("a redirect to an app is allowed by the policy of that page, and links keep the app's scheme", async () => {
    const page = {
      resultPage: "redirect",
      redirectUrl: "MyApp+x://paid?order=1",
      cancelUrl: "myapp://cart?a=1&b",
    };
    const { id, hostedPaymentPage } = await createHosted(shop, { page });
    const first = await visitPage(shop, hostedPaymentPage.url);
    const policy = first.headers.get("content-security-policy") ?? "";
    assert.ok(policy.includes("form-action 'self' http: https: myapp+x:;"), policy);
    assert.match(
      first.text,
      /<a [^>]*href="myapp:\/\/cart\?a=1&amp;b" rel="noreferrer">Cancel and return<\/a>/,
    );
    const sent = await visitPage(shop, hostedPaymentPage.url, CARD_FORM);
    const paid = await visitPage(shop, sent.location ?? "");
    assert.deepEqual([paid.status, paid.location], [303, "myapp+x://paid?order=1"]);
    const again = await visitPage(shop, hostedPaymentPage.url);
    assert.equal(again.state, "approved");
    assert.match(again.text, /href="MyApp\+x:\/\/paid\?order=1"[^>]*>Return to/);
    assert.doesNotMatch(again.text, /Cancel and return/);
    assert.equal(ok(await callApi(shop, "GET", `/paymentrequests/${id}`)).paymentRequestStatus, "completed");
  });

  test("has no link to cancel unless the merchant set one", async () => {
    const { hostedPaymentPage } = await createHosted(shop, {
      page: { redirectUrl: "https://shop.example/" },
    });
    assert.doesNotMatch(
      (await visitPage(shop, hostedPaymentPage.url)).text,
      /Cancel and return|data-opens-app/,
    );
  });

  test("only a page that redirects to the merchant allows forms to lead elsewhere", async () => {
    const page = { redirectUrl: "https://shop.example/thanks", resultPage: "redirect" };
    const { hostedPaymentPage } = await createHosted(shop, { page });
    const { headers } = await visitPage(shop, hostedPaymentPage.url);
    assert.match(headers.get("content-security-policy") ?? "", / form-action 'self' http: https:; base-uri/);
  });

  /** Pays on a page with a manual capture. */
  const authorise = async (on: Shop) => {
    const { id, hostedPaymentPage } = await createHosted(on, { category: { captureType: "manual" } });
    await visitPage(on, hostedPaymentPage.url, CARD_FORM);
    const { transactionResult } = ok(await callApi(on, "GET", `/paymentrequests/${id}`));
    const visit = async (expected = "approved") => {
      const { text, state } = await visitPage(on, hostedPaymentPage.url);
      assert.equal(state, expected);
      return text;
    };
    return { visit, path: `/transactions/${transactionResult.id}`, url: hostedPaymentPage.url };
  };
  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const DAY = 24 * 60 * 60;

  test("the date of a receipt is the payment's, also after a later capture", async () => {
    const ours = await newShop();
    const { visit, path } = await authorise(ours);
    const paidAt = async () => /<dt>Date<\/dt><dd>([^<]+)</.exec(await visit())?.[1];
    const before = await paidAt();
    assert.match(before ?? "", /\d/);
    await advanceClock(ours, DAY);
    ok(await callApi(ours, "POST", `${path}/capture`));
    assert.equal(await paidAt(), before);
  });

  test("after a partial capture the receipt has what was charged", async () => {
    const ours = await newShop();
    const { visit, path } = await authorise(ours);
    assert.match(await visit(), /status-amount[^<]*>\$30\.00</);
    ok(await callApi(ours, "POST", `${path}/capture`, { payment: { amount: 2000 } }));
    const text = await visit();
    assert.match(text, /status-amount[^<]*>\$20\.00</);
    assert.match(text, /<dt>Charged<\/dt><dd>\$20\.00 AUD/);
  });

  test("a released payment no longer redirects the payer to the shop", async () => {
    const ours = await newShop();
    const page = { resultPage: "redirect", redirectUrl: "https://shop.example/done" };
    const { id, hostedPaymentPage } = await createHosted(ours, { category: { captureType: "manual" }, page });
    await visitPage(ours, hostedPaymentPage.url, CARD_FORM);
    const after = `${hostedPaymentPage.url}?after=0`;
    assert.equal((await visitPage(ours, after)).location, "https://shop.example/done");
    const { transactionResult } = ok(await callApi(ours, "GET", `/paymentrequests/${id}`));
    ok(await callApi(ours, "POST", `/transactions/${transactionResult.id}/cancel`));
    const { status, state, location } = await visitPage(ours, after);
    assert.deepEqual([status, state, location], [200, "cancelled", null]);
  });

  test("an error of a page in JSON has the merchant's mode", async () => {
    const { hostedPaymentPage } = await createHosted(shop);
    const { status, text } = await visitPage(shop, `${hostedPaymentPage.url}/items/99`, undefined, {
      accept: "application/json",
    });
    assert.deepEqual([status, JSON.parse(text).result.mode], [404, "sandbox"]);
  });

  test("after a void or an expiry the page says that the amount was released, without a receipt", async () => {
    const ours = await newShop();
    const [voided, lapsed] = [await authorise(ours), await authorise(ours)];
    assert.match(await voided.visit(), /<dl class="receipt">/);
    assert.doesNotMatch(await voided.visit(), /was released/);
    ok(await callApi(ours, "POST", `${voided.path}/cancel`));
    await advanceClock(ours, 8 * DAY);
    await eventually("the authorisation is expired", async () => {
      const { captureStatus } = ok(await callApi(ours, "GET", lapsed.path));
      return captureStatus === "expired";
    });
    for (const { visit } of [voided, lapsed]) {
      const text = await visit("cancelled");
      assert.match(
        text,
        /This payment was cancelled[\s\S]*The amount was released, and you have not been charged\./,
      );
      assert.doesNotMatch(text, /Payment approved/);
      assert.doesNotMatch(text, /class="receipt"|Thank you|status-amount/);
    }
  });

  test("the logo is served only as an image, even when opened directly", async () => {
    const { hostedPaymentPage } = await createHosted(shop);
    const logo = await visitPage(shop, `${hostedPaymentPage.url}/logo`);
    assert.equal(logo.status, 200);
    assert.equal(logo.headers.get("content-type"), "image/svg+xml");
    assert.match(logo.headers.get("content-security-policy") ?? "", /default-src 'none'; sandbox/);
    assert.equal(logo.text, Buffer.from(LOGO.split(",")[1] ?? "", "base64").toString());
    const page = await visitPage(shop, hostedPaymentPage.url);
    assert.match(page.text, /<img class="shop-logo" src="\/pay\/[\w-]+\/logo" alt=""/);
    assert.ok(!page.text.includes("data:image"));
  });

  test("an unknown URL is a 404 page that reveals nothing about other requests", async () => {
    const { hostedPaymentPage } = await createHosted(shop);
    const unknown = ["/pay/unknown", `/pay/${"x".repeat(32)}`, "/pay/%00", `/pay/${"y".repeat(5000)}`];
    for (const address of [...unknown, `${hostedPaymentPage.url}x`]) {
      for (const form of [undefined, { attempt: "0" }]) {
        const answer = await visitPage(shop, address, form);
        assert.equal(answer.status, 404, address);
        assert.equal(answer.state, "error");
        assert.match(answer.text, /This payment page doesn(?:&#39;|')t exist/);
        assert.match(answer.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      }
    }
    assert.equal((await visitPage(shop, hostedPaymentPage.url)).status, 200);
  });

  test("a body that is not a form is refused with a page and charges nothing", async () => {
    const { id, hostedPaymentPage } = await createHosted(shop);
    const url = hostedPaymentPage.url.replace("localhost", "127.0.0.1");
    const json = JSON.stringify({ attempt: "0", number: 4_111_111_111_111_111, sealed: { a: 1 } });
    for (const [type, body] of [
      ["text/plain", "x"],
      ["multipart/form-data", "x"],
      ["application/xml", "x"],
      ["application/json", json],
    ] as const) {
      const answer = await fetch(url, { method: "POST", body, headers: { "content-type": type } });
      assert.equal(answer.status, 415);
      assert.match(await answer.text(), /data-state="error"/);
    }
    const large = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ number: "4".repeat(300_000) }),
    });
    assert.equal(large.status, 413);
    assert.equal(ok(await callApi(shop, "GET", `/transactions?paymentrequestid=${id}`)).count, 0);
  });

  test("the first view loads less than 30 KB compressed", async () => {
    const { hostedPaymentPage } = await createHosted(shop, {
      page: { lineItems: [{ title: "Beans", amount: 1500, quantity: 2 }] },
    });
    const page = await visitPage(shop, hostedPaymentPage.url);
    const files = [...page.text.matchAll(/(?:src|href)="(\/static[^"]+)"/g)].map((match) => match[1] ?? "");
    assert.equal(files.length, 2);
    let size = 0;
    for (const address of [hostedPaymentPage.url, ...files]) {
      const url = new URL(address, shop.hostedUrl).href.replace("localhost", "127.0.0.1");
      const answer = await fetch(url, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
      assert.equal(answer.headers.get("content-encoding"), "gzip", address);
      size += Number(answer.headers.get("content-length"));
    }
    assert.ok(size > 1_000 && size < 30 * 1024, `${size} bytes`);
  });
});
