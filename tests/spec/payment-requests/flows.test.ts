import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { instant } from "../../../src/kernel/time.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertAccepted } from "./request-assertions.ts";
import { CHECKOUT, HOSTED, hostedWith, LOGO, payIdRequest, WALLET, withValue } from "./sample-requests.ts";

const NOW = Date.parse("2026-02-10T01:02:03.004Z");
const CREATED = "2026-02-10T01:02:03.004Z";
const EXPIRES = "2026-02-11T01:02:03.004Z";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({
    environment: { TIDEGATE_PAYID_DOMAIN: "pay.shop.example" },
    now: () => instant(NOW),
  });
});
after(() => gateway.stop());

/** The fields of every new request, whatever its flow. */
const standard = (id: string) => ({
  id,
  reference: id,
  createdDateTime: CREATED,
  updatedDateTime: CREATED,
  expiryDateTime: EXPIRES,
  paymentRequestStatus: "created",
  result: { mode: "sandbox", status: "ok" },
});
const SINGLE = { category: { frequency: "single", captureType: "auto" } };

const eventsOf = async (id: string) => (await gateway.get(`/events?resourceid=${id}`)).body.events;
const listedAs = async (reference: string) => {
  const { body } = await gateway.get(`/paymentrequests?reference=${encodeURIComponent(reference)}`);
  assert.equal(body.count, 1);
  return body.paymentRequests[0];
};

describe("spec 2.1: what each flow returns for its required fields alone", () => {
  test("checkout", async () => {
    const { body } = await assertAccepted(gateway, CHECKOUT);
    assert.deepEqual(body, {
      ...standard(body.id),
      payment: { amount: 3000, currencyCode: "AUD" },
      paymentMethods: ["card"],
      transactionRequest: SINGLE,
    });
  });

  test("hosted page: methods, frequency, attempts, result page and merchant name have defaults", async () => {
    const { body } = await assertAccepted(gateway, HOSTED);
    const account = (await gateway.get("/management/account")).body;
    assert.deepEqual(body, {
      ...standard(body.id),
      payment: { amount: 3000, currencyCode: "AUD" },
      paymentMethods: ["card"],
      transactionRequest: SINGLE,
      hostedPaymentPage: {
        merchantName: account.name,
        logo: LOGO,
        resultPage: "show",
        attempts: 1,
        url: body.hostedPaymentPage.url,
      },
    });
  });

  test("PayID: returns the address to pay to, and nothing about cards", async () => {
    const { body } = await assertAccepted(gateway, payIdRequest("order-77"));
    const { url, token } = body.payment.instrument.payId;
    assert.ok(url.startsWith(`${gateway.hostedUrl}/payid/`), url);
    assert.match(token, /^tok_/);
    assert.deepEqual(body, {
      ...standard(body.id),
      payment: {
        amount: 3000,
        currencyCode: "AUD",
        instrument: { payId: { type: "single", email: "order-77@pay.shop.example", url, token } },
      },
    });
  });

  test("a partial category keeps the other defaults", async () => {
    const category = { authenticationType: "3d_secure" };
    const { body } = await assertAccepted(gateway, { ...CHECKOUT, transactionRequest: { category } });
    assert.deepEqual(body.transactionRequest.category, { ...SINGLE.category, ...category });
  });

  test("a New Zealand merchant has NZD by default, and AUD on request", async () => {
    const { key } = await gateway.newMerchant({ country: "NZ" });
    for (const body of [CHECKOUT, HOSTED]) {
      assert.equal((await assertAccepted(gateway, body, { key })).body.payment.currencyCode, "NZD");
    }
    const payId = await assertAccepted(gateway, payIdRequest(), { key });
    assert.equal(payId.body.payment.currencyCode, "AUD", "a PayID is Australian");
    const named = withValue(CHECKOUT, "/payment/currencyCode", "AUD");
    assert.equal((await assertAccepted(gateway, named, { key })).body.payment.currencyCode, "AUD");
  });

  test("a page keeps the merchant name from the request's creation", async () => {
    const { key } = await gateway.newMerchant();
    const { body } = await assertAccepted(gateway, HOSTED, { key });
    assert.equal(body.hostedPaymentPage.merchantName, "Another shop");
    await gateway.put("/management/account", { name: "Renamed" }, { key });
    const after = (await gateway.get(`/paymentrequests/${body.id}`, { key })).body;
    assert.equal(after.hostedPaymentPage.merchantName, "Another shop");
    const later = await assertAccepted(gateway, HOSTED, { key });
    assert.equal(later.body.hostedPaymentPage.merchantName, "Renamed");
  });
});

describe("spec 2.4: hostedPaymentPage.url", () => {
  test("is under the hosted URL and contains an unguessable part", async () => {
    const { body } = await assertAccepted(gateway, HOSTED);
    const { url } = body.hostedPaymentPage;
    assert.ok(url.startsWith(`${gateway.hostedUrl}/`), url);
    const [secret = ""] = new URL(url).pathname.split("/").slice(-1);
    // At least 128 bits in an alphabet of 64.
    assert.match(secret, /^[A-Za-z0-9_-]{22,}$/);
    assert.ok(!secret.includes(body.id) && !body.id.includes(secret));
  });

  test("is unique", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => gateway.post("/paymentrequests", HOSTED)),
    );
    assert.equal(new Set(answers.map(({ body }) => body.hostedPaymentPage.url)).size, 50);
  });

  test("stays the same in GET, lists, events and after a cancellation", async () => {
    const { body } = await assertAccepted(gateway, { ...HOSTED, reference: "same address" });
    const { url } = body.hostedPaymentPage;
    assert.equal((await listedAs("same address")).hostedPaymentPage.url, url);
    assert.equal((await eventsOf(body.id))[0].payload.hostedPaymentPage.url, url);
    const cancelled = await gateway.post(`/paymentrequests/${body.id}/cancel`);
    assert.equal(cancelled.body.hostedPaymentPage.url, url);
  });

  test("is absent from a checkout and a PayID request", async () => {
    for (const sent of [CHECKOUT, payIdRequest()]) {
      assert.equal("hostedPaymentPage" in (await assertAccepted(gateway, sent)).body, false);
    }
  });
});

describe("contract 3: the logo is returned by create and GET, and left out of lists and events", () => {
  test("the cancellation returns it too", async () => {
    const { body } = await assertAccepted(gateway, { ...HOSTED, reference: "with a logo" });
    assert.equal(body.hostedPaymentPage.logo, LOGO);
    const { logo: _, ...page } = body.hostedPaymentPage;
    assert.deepEqual(await listedAs("with a logo"), { ...body, hostedPaymentPage: page });
    const cancelled = await gateway.post(`/paymentrequests/${body.id}/cancel`);
    assert.equal(cancelled.body.hostedPaymentPage.logo, LOGO);
    for (const { payload } of await eventsOf(body.id)) {
      assert.equal("logo" in payload.hostedPaymentPage, false);
    }
    const rows = await gateway.database.rows<{ body: string }>(
      "select body from events where resource_id = $1",
      [body.id],
    );
    assert.equal(rows.length, 2);
    assert.ok(rows.every((row) => !row.body.includes("base64")));
  });
});

describe("contract 3: customerRequest.email is masked in every response", () => {
  const email = "valentina.rossi@shop.example";
  const masked = "vXXXXXXXXXX@shop.example";

  for (const [flow, body] of [
    ["checkout", CHECKOUT],
    ["hosted page", HOSTED],
  ] as const) {
    test(`${flow}: on create, GET, list, cancellation and in events`, async () => {
      const reference = `masked ${flow}`;
      const made = await assertAccepted(gateway, { ...body, reference, customerRequest: { email } });
      assert.equal(made.body.customerRequest.email, masked);
      assert.equal((await listedAs(reference)).customerRequest.email, masked);
      const cancelled = await gateway.post(`/paymentrequests/${made.body.id}/cancel`);
      assert.equal(cancelled.body.customerRequest.email, masked);
      const events = await eventsOf(made.body.id);
      assert.deepEqual(
        events.map((event: typeof made.body) => event.payload.customerRequest.email),
        [masked, masked],
      );
    });
  }

  test("the address is stored only on the request, which prefills the form", async () => {
    const holding = (table: string) =>
      gateway.database.rows(`select 1 from ${table} t where t::text like '%valentina%'`);
    assert.equal((await holding("events")).length, 0);
    assert.equal((await holding("jobs")).length, 0);
    assert.equal((await holding("idempotency_keys")).length, 0);
    assert.equal((await holding("payment_requests")).length, 2);
  });

  for (const [sent, shown] of [
    ["a@shop.example", "aXXXXXXXXXX@shop.example"],
    ["!weird!@mail.shop.example", "!XXXXXXXXXX@mail.shop.example"],
    ["A.Very.Long.Name.Indeed@SHOP.example", "AXXXXXXXXXX@SHOP.example"],
  ]) {
    test(`${sent} is shown as ${shown}`, async () => {
      const { body } = await assertAccepted(gateway, { ...CHECKOUT, customerRequest: { email: sent } });
      assert.equal(body.customerRequest.email, shown);
    });
  }
});

describe("contract 7: the event of a new request", () => {
  test("is written once and equals the GET response", async () => {
    for (const sent of [CHECKOUT, WALLET, payIdRequest(), { ...CHECKOUT, reference: "mine" }]) {
      const { body } = await assertAccepted(gateway, sent);
      const events = await eventsOf(body.id);
      assert.equal(events.length, 1);
      assert.deepEqual(events[0], {
        id: events[0].id,
        reference: body.reference,
        created: body.updatedDateTime,
        version: "1.0.0",
        event: "payment_requests",
        payload: body,
      });
    }
  });
});

describe("a request with every hosted-page field", () => {
  test("is the same in POST, GET and, except for the logo, the list", async () => {
    const sent = {
      ...hostedWith(
        2855,
        [
          {
            title: "Coffee",
            image: "https://shop.example/c.png",
            amount: 1290,
            quantity: 1.5,
            modifier: "kg",
          },
          { title: "Cup", amount: 500 },
        ],
        [
          { title: "Loyalty", amount: -100, adjustmentType: "DISCOUNT", order: 2 },
          { title: "Post", amount: 520, adjustmentType: "shipping", order: 1 },
        ],
      ),
      reference: "full page",
    };
    Object.assign(sent.hostedPaymentPage, {
      merchantName: "Beans & Co",
      resultPage: "redirect",
      redirectUrl: "https://shop.example/thanks?o=1",
      attempts: 3,
    });
    const { body } = await assertAccepted(gateway, sent);
    assert.deepEqual(body.hostedPaymentPage, {
      ...sent.hostedPaymentPage,
      lineItems: [sent.hostedPaymentPage.lineItems[0], { title: "Cup", amount: 500, quantity: 1 }],
      adjustments: [
        { title: "Loyalty", amount: -100, adjustmentType: "Discount", order: 2 },
        { title: "Post", amount: 520, adjustmentType: "Shipping", order: 1 },
      ],
      url: body.hostedPaymentPage.url,
    });
    const { logo: _, ...page } = body.hostedPaymentPage;
    assert.deepEqual(await listedAs("full page"), { ...body, hostedPaymentPage: page });
  });
});
