import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { callFrame, shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { findInDatabase } from "../../support/invariants.ts";
import { CHECKOUT, HOSTED_PAGE, NO_SUCH_ID, payIdRequestBody } from "../../support/request-bodies.ts";

const NUMBER = "4111 1111 1111 1111";
const CUSTOMER = { name: "Jamie Lee", email: "jamie@shop.example" };

describe("contract 2: a card number in free text is refused with its field", () => {
  let gateway: TestGateway;
  let customer: string;
  let transaction: string;
  before(async () => {
    gateway = await startTestGateway();
    customer = (await gateway.post("/customers", CUSTOMER)).body.id;
    transaction = "txn_01k0000000000aaaaaaaaaaaaaaaa";
  });
  after(() => gateway.stop());

  const item = (more: object) => ({
    ...HOSTED_PAGE,
    hostedPaymentPage: {
      ...HOSTED_PAGE.hostedPaymentPage,
      lineItems: [{ title: "Tea", amount: 3000, ...more }],
    },
  });
  const page = (more: object) => ({
    ...HOSTED_PAGE,
    hostedPaymentPage: { ...HOSTED_PAGE.hostedPaymentPage, ...more },
  });
  const REQUESTS: readonly (readonly [field: string, body: (text: string) => object])[] = [
    ["/reference", (text) => ({ ...CHECKOUT, reference: text })],
    ["/externalReference", (text) => ({ ...CHECKOUT, externalReference: text })],
    ["/payment/description", (text) => ({ ...CHECKOUT, payment: { amount: 3000, description: text } })],
    ["/customerRequest/name", (text) => ({ ...CHECKOUT, customerRequest: { name: text } })],
    ["/metadata/note", (text) => ({ ...CHECKOUT, metadata: { note: text } })],
    ["/hostedPaymentPage/lineItems/0/title", (text) => item({ title: text })],
    ["/hostedPaymentPage/lineItems/0/modifier", (text) => item({ modifier: text })],
    [
      "/hostedPaymentPage/adjustments/0/title",
      (text) => {
        const { hostedPaymentPage } = item({ amount: 2999 });
        const adjustments = [{ title: text, amount: 1, adjustmentType: "Other" }];
        return { ...HOSTED_PAGE, hostedPaymentPage: { ...hostedPaymentPage, adjustments } };
      },
    ],
    [
      "/hostedPaymentPage/merchantName",
      (text) => ({
        ...HOSTED_PAGE,
        hostedPaymentPage: { ...HOSTED_PAGE.hostedPaymentPage, merchantName: text },
      }),
    ],
  ];
  for (const [field, body] of REQUESTS) {
    test(`in ${field} of a payment request`, async () => {
      const refused = await gateway.post("/paymentrequests", body(NUMBER));
      assertRefused(refused, 400, ["V11031", field]);
      assert.doesNotMatch(JSON.stringify(refused.body), /1111 1111/);
      assert.equal((await gateway.post("/paymentrequests", body("4111 1111 1111 1112"))).status, 200);
    });
  }

  const inUrl = (text: string) => `https://shop.example/of/${text}.png?at=1`;
  const FORMATTED: readonly (readonly [field: string, body: (text: string) => object])[] = [
    [
      "/customerRequest/email",
      (text) => ({ ...CHECKOUT, customerRequest: { email: `kim.${text}@shop.example` } }),
    ],
    ["/payment/instrument/payId/value", payIdRequestBody],
    [
      "/agreementDetails/managementURL",
      (text) => ({
        ...CHECKOUT,
        paymentMethods: ["apple_pay"],
        agreementDetails: { description: "Tea", frequency: "monthly", managementURL: inUrl(text) },
      }),
    ],
    ["/hostedPaymentPage/lineItems/0/image", (text) => item({ image: inUrl(text) })],
    ["/hostedPaymentPage/redirectUrl", (text) => page({ resultPage: "redirect", redirectUrl: inUrl(text) })],
    ["/hostedPaymentPage/cancelUrl", (text) => page({ cancelUrl: `myshop://cart/${text}` })],
  ];
  const NO_NUMBERS = [
    "4111-1111-1111-1112",
    "0412345678",
    "1763209999123",
    "1763209999123456789",
    "550e8400-e29b-41d4-a716-446655440000",
    "a4111111111111111bcdef0123456789",
    NO_SUCH_ID,
  ];
  for (const [field, body] of FORMATTED) {
    test(`in ${field} of a payment request, where ids, times and telephone numbers are accepted`, async () => {
      for (const number of ["4111111111111111", "4111-1111-1111-1111"])
        assertRefused(await gateway.post("/paymentrequests", body(number)), 400, ["V11031", field]);
      for (const text of NO_NUMBERS) {
        const made = await gateway.post("/paymentrequests", body(text));
        assert.equal(made.status, 200, JSON.stringify(made.body));
      }
    });
  }

  test("in an e-mail address of a customer and a URL of a webhook", async () => {
    const email = "4111111111111111@shop.example";
    assertRefused(await gateway.post("/customers", { ...CUSTOMER, email }), 400, ["V11031", "/email"]);
    assertRefused(await gateway.put(`/customers/${customer}`, { email }), 400, ["V11031", "/email"]);
    const hook = { event: "payouts", url: inUrl("4111111111111111") };
    assertRefused(await gateway.post("/webhooks", hook), 400, ["V11031", "/url"]);
    for (const text of NO_NUMBERS)
      assert.equal(
        (await gateway.put(`/customers/${customer}`, { email: `${text}@shop.example` })).status,
        200,
      );
  });

  test("in the request's own id, which is replaced, and in an idempotency key, which is stored as its hash", async () => {
    const send = (name: string, value: string) =>
      gateway.post("/paymentrequests", CHECKOUT, { headers: { [name]: value } });
    const made = await send("x-request-id", "4111111111111111");
    assert.equal(made.status, 200);
    assert.match(made.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    assert.equal((await send("x-idempotency-key", "pay-4242424242424242")).status, 200);
    assertRefused(await send("idempotency-key", "pay-4242424242424242"), 409, "V10018");
    assert.deepEqual(await findInDatabase(gateway.database, "4242424242424242"), []);
    for (const text of NO_NUMBERS) {
      assert.equal((await send("x-request-id", text)).headers.get("x-request-id"), text);
      assert.equal((await send("x-idempotency-key", text)).status, 200);
    }
  });

  test("in names, references and accounts everywhere else", async () => {
    const named = await gateway.post("/customers", { ...CUSTOMER, name: `Jamie ${NUMBER}` });
    assertRefused(named, 400, ["V11031", "/name"]);
    const changed = await gateway.put(`/customers/${customer}`, { reference: NUMBER });
    assertRefused(changed, 400, ["V11031", "/reference"]);
    const account = { accountName: NUMBER, bsb: "062000", number: "12345678" };
    assertRefused(
      await gateway.post(`/customers/${customer}/paymentinstruments`, { bankAccount: account }),
      400,
      ["V11031", "/bankAccount/accountName"],
    );
    assertRefused(await gateway.put("/management/account", { name: NUMBER }), 400, ["V11031", "/name"]);
    assertRefused(await gateway.post(`/transactions/${transaction}/refunds`, { reference: NUMBER }), 400, [
      "V11031",
      "/reference",
    ]);
    const credentials = { username: NUMBER, password: "4111111111111111" };
    assertRefused(await gateway.put("/webhooks/settings", credentials), 400, ["V11031", "/username"]);
    const transfer = { payId: "nobody", amount: 1, payerName: NUMBER };
    assertRefused(await gateway.post("/sandbox/payid/transfers", transfer), 400, ["V11031", "/payerName"]);
  });

  test("in a dispute's evidence, on any of its lines", async () => {
    const path = "/disputes/dsp_01k0000000000aaaaaaaaaaaaaaaa/evidence";
    const refused = await gateway.post(path, { text: `The payer's card:\n${NUMBER}` });
    assertRefused(refused, 400, ["V11031", "/text"]);
  });

  for (const field of ["line1", "city", "state"]) {
    test(`in ${field} of the billing address that a payer enters`, async () => {
      const body = { method: "card", total: 1, consent: false, address: { [field]: NUMBER } };
      const refused = await callFrame(shopOf(gateway), "/checkout/pay", body);
      assert.equal(refused.status, 400);
      const codes: readonly { id: string; field?: string }[] = refused.body.result.codes;
      assert.ok(codes.some((code) => code.id === "V11031" && code.field === `/address/${field}`));
    });
  }

  test("in the names of users and merchants, and nothing is created", async () => {
    const count = async () =>
      (await gateway.database.rows("select id from dashboard_users union all select id from merchants"))
        .length;
    const before = await count();
    const user = ["user", "create", "--operator", "--email", "kim@shop.example", "--name", `Kim ${NUMBER}`];
    const invited = await runCommand(gateway.database, user);
    assert.deepEqual([invited.code, /Remove the card number/.test(invited.stderr)], [1, true]);
    const merchant = await runCommand(gateway.database, ["merchant", "create", "--name", NUMBER]);
    assert.deepEqual([merchant.code, /Remove the card number/.test(merchant.stderr)], [1, true]);
    assert.equal(await count(), before);
  });

  test("as a key of metadata, of a body and of a filter", async () => {
    const keyed = (key: string) =>
      gateway.post("/paymentrequests", { ...CHECKOUT, metadata: { [key]: "v", note: "fine" } });
    for (const key of ["4111111111111111", "4111-1111-1111-1111", "card.4111111111111111"]) {
      const refused = await keyed(key);
      assertRefused(refused, 400, ["V11031", "/metadata"]);
      assert.doesNotMatch(JSON.stringify(refused.body), /1111/);
      const listed = await gateway.get(`/paymentrequests?metadata[${key}]=v`);
      assertRefused(listed, 400, ["V11031", "/metadata"]);
    }
    assert.equal((await keyed("4111111111111112")).status, 200);
    assert.equal((await gateway.get("/paymentrequests?metadata[4111111111111112]=v")).body.count, 1);
  });

  test("and no refusal repeats one that stands in the name of a field", async () => {
    for (const [body, ...problems] of [
      [{ ...CHECKOUT, [NUMBER]: 1 }, ["V11003", ""]],
      [{ ...CHECKOUT, payment: { amount: 3000, [NUMBER]: 1 } }, ["V11003", "/payment"]],
      [
        { ...CHECKOUT, metadata: { [NUMBER]: 1 } },
        ["V12301", "/metadata"],
        ["V11031", "/metadata"],
        ["V12302", "/metadata"],
      ],
    ] as const) {
      const refused = await gateway.post("/paymentrequests", body);
      assertRefused(refused, 400, ...problems);
      assert.doesNotMatch(JSON.stringify(refused.body), /1111/);
    }
    assertRefused(await gateway.get("/paymentrequests?4111111111111111=1"), 400, ["V11004", ""]);
    const other = await gateway.post("/paymentrequests", { ...CHECKOUT, "4111 1111 1111 1112": 1 });
    assertRefused(other, 400, ["V11003", "/4111 1111 1111 1112"]);
  });

  test("beside every other problem of the request", async () => {
    const body = { ...CHECKOUT, reference: NUMBER, payment: { amount: 0 } };
    assertRefused(
      await gateway.post("/paymentrequests", body),
      400,
      ["V11031", "/reference"],
      ["V11101", "/payment/amount"],
    );
  });
});

describe("contract 2: texts that are no card numbers are accepted", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  for (const reference of [
    "+4917612345675",
    "0412 345 678",
    "550e8400-e29b-41d4-a716-446655440000",
    "pr_01k0000000000aaaaaaaaaaaaaaaa",
    "1763209999123",
    "9999999999999995",
    "Order 2026-11-15-0000123456",
  ]) {
    test(`a reference of ${reference}`, async () => {
      const created = await gateway.post("/paymentrequests", { ...CHECKOUT, reference });
      assert.equal(created.body.reference, reference);
    });
  }

  test("an id and a password of sixteen digits are no free text", async () => {
    const digits = "4111111111111111";
    const found = await gateway.get(`/transactions?customerid=${digits}`);
    assert.notEqual(found.body.result.codes?.[0]?.id, "V11031");
    const set = await gateway.put("/webhooks/settings", { username: "shop", password: digits });
    assert.equal(set.status, 200);
  });
});
