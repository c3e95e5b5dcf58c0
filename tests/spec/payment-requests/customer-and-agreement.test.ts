import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Instant, instant } from "../../../src/kernel/time.ts";
import { withLiveAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type Field, testField, textLimits, WEB_URLS, written } from "./field-table.ts";
import { assertAccepted, assertEchoed, assertRefused, postRequest } from "./request-assertions.ts";
import { AGREEMENT, CHECKOUT, HOSTED, WALLET, withoutValue, withValue } from "./sample-requests.ts";

const NOON = instant(Date.parse("2026-02-10T01:00:00.000Z"));
let now: Instant = NOON;
let gateway: TestGateway;
let customer: string;
before(async () => {
  // No worker: these tests advance the time by months and count rows.
  const environment = { TIDEGATE_RATE_LIMIT: "0", TIDEGATE_ROLES: "api" };
  gateway = await startTestGateway({ environment, now: () => now, wrapContext: withLiveAcquirer });
  customer = (await gateway.post("/customers", { name: "Ana", email: "a@shop.example" })).body.id;
});
after(() => gateway.stop());

const checkout = () => CHECKOUT;
const wallet = () => WALLET;
const label = (length: number) => "x".repeat(length);
const mailOf = (length: number) => {
  const domain = [63, 63, 57].map(label).join(".");
  return `${label(length - domain.length - 1 - ".example".length)}@${domain}.example`;
};

const CUSTOMER: readonly Field[] = [
  {
    at: "/customerRequest/paymentInstrument",
    code: "V10219",
    kind: "text",
    base: checkout,
    accepts: ["create"],
    refuses: ["", "Create", "none", "update", "create "],
  },
  { at: "/customerRequest/name", code: "V10216", kind: "text", base: checkout, ...textLimits(100) },
  {
    at: "/customerRequest/email",
    code: "V10215",
    kind: "text",
    base: checkout,
    accepts: [
      "a@shop.example",
      "ana.lee+tag@mail.shop.example",
      "o'brien_{x}~!#$%&*/=?^`|-@shop.example",
      "A@SHOP.EXAMPLE",
      `${label(64)}@shop.example`,
      `a@${label(63)}.example`,
      mailOf(254),
    ],
    echo: (value) => String(value).replace(/^(.).*@/, "$1XXXXXXXXXX@"),
    refuses: [
      "",
      "a",
      "a@",
      "@shop.example",
      "a@shop",
      "a@@shop.example",
      "a b@shop.example",
      "a@shop .example",
      ".a@shop.example",
      "a.@shop.example",
      "a..b@shop.example",
      "a@.example",
      "a@shop..example",
      "a@shop.example.",
      "a@-shop.example",
      "a@shop-.example",
      "a@shop_1.example",
      '"a"@shop.example',
      "Ana <a@shop.example>",
      "a@[192.0.2.1]",
      "a,b@shop.example",
      "ä@shop.example",
      "a@shop.example\n",
      "a\u0000@shop.example",
      "a\ud800@shop.example",
      `${label(65)}@shop.example`,
      `a@${label(64)}.example`,
      mailOf(255),
      mailOf(300),
    ],
  },
  {
    at: "/customerRequest/id",
    code: "V10214",
    kind: "text",
    base: checkout,
    refuses: ["", "x", "cus_01k0000000000aaaaaaaaaaaaaaaa", label(64), label(65), "a\u0000", "pr_1"],
  },
];

describe("spec 2.5: every field of customerRequest at both sides of its limits", () => {
  for (const field of CUSTOMER) testField(() => gateway, field);
});

describe("spec 2.5, 7: name and email cannot be combined with a customer id", () => {
  const name = ["V10216", "/customerRequest/name"] as const;
  const email = ["V10215", "/customerRequest/email"] as const;
  test("a name with an id is V10216, an email V10215, both are both", async () => {
    const request = (more: object) => withValue(CHECKOUT, "/customerRequest", { id: customer, ...more });
    await assertRefused(gateway, request({ name: "Ana" }), [name]);
    await assertRefused(gateway, request({ email: "a@shop.example" }), [email]);
    await assertRefused(gateway, request({ name: "Ana", email: "a@shop.example" }), [name, email]);
  });

  test("nor with an id of the wrong form", async () => {
    const id = ["V10214", "/customerRequest/id"] as const;
    for (const wrong of ["", 5, null, {}]) {
      const request = (more: object) => withValue(CHECKOUT, "/customerRequest", { id: wrong, ...more });
      await assertRefused(gateway, request({ name: "Ana", email: "a@shop.example" }), [id, name, email]);
      await assertRefused(gateway, request({ allowRemoval: true }), [id]);
    }
  });

  test("without an id both are accepted", async () => {
    const customerRequest = { name: "Ana", email: "a@shop.example", paymentInstrument: "create" };
    const { body } = await assertAccepted(gateway, { ...CHECKOUT, customerRequest });
    assert.deepEqual(body.customerRequest, { ...customerRequest, email: "aXXXXXXXXXX@shop.example" });
  });

  test("without create both are accepted, because they prefill the form", async () => {
    await assertAccepted(gateway, { ...CHECKOUT, customerRequest: { name: "Ana", email: "a@shop.example" } });
    await assertAccepted(gateway, { ...HOSTED, customerRequest: { name: "Ana" } });
  });
});

describe("contract 3: customerRequest.id is an existing customer of this merchant", () => {
  const newCustomer = async (call: { key?: string } = {}): Promise<string> =>
    (await gateway.post("/customers", { name: "Ana", email: "a@shop.example" }, call)).body.id;
  const request = (id: string, more: object = {}) => withValue(CHECKOUT, "/customerRequest", { id, ...more });

  test("is accepted and returned, with and without create", async () => {
    const id = await newCustomer();
    for (const more of [{}, { paymentInstrument: "create" }]) {
      const { body } = await assertAccepted(gateway, request(id, more));
      assert.deepEqual(body.customerRequest, { id, ...more });
    }
    await assertAccepted(gateway, { ...HOSTED, customerRequest: { id } });
  });

  test("another merchant's customer is refused like an unknown one", async () => {
    const { key } = await gateway.newMerchant();
    const id = await newCustomer({ key });
    await assertRefused(gateway, request(id), [["V10214", "/customerRequest/id"]]);
    await assertRefused(gateway, request(id.toUpperCase()), [["V10214", "/customerRequest/id"]], { key });
    await assertAccepted(gateway, request(id), { key });
  });

  test("an unknown id is returned together with other problems, and not where it is not allowed", async () => {
    const unknown = ["V10214", "/customerRequest/id"] as const;
    const id = "cus_01k0000000000aaaaaaaaaaaaaaaa";
    const beside = request(id, { name: "Ana" });
    await assertRefused(gateway, beside, [["V10216", "/customerRequest/name"], unknown]);
    const amount = ["V11101", "/payment/amount"] as const;
    await assertRefused(gateway, withValue(request(id), "/payment/amount", 0), [amount, unknown]);
    await assertRefused(gateway, withValue(request(customer), "/payment/amount", 0), [amount]);
    const payId = { type: "single", value: "unknown-customer" };
    const transfer = { payment: { amount: 1, instrument: { payId } }, customerRequest: { id } };
    await assertRefused(gateway, transfer, [["V11134", "/customerRequest"]]);
  });
});

const DAYS = {
  accepts: ["2026-02-10", "2026-12-31", "2028-02-29", "9999-12-31"],
  refuses: [
    ...["", "2026-2-10", "10-02-2026", "2026-02-30", "2027-02-29", "2026-13-01", "2026-00-10", "2026-02-00"],
    ...["2026-02-10T00:00:00Z", "2026-02-10 ", "0000-01-01", "today", "20260210", "2026-02-10\n"],
  ],
};

const AGREEMENT_FIELDS: readonly Field[] = [
  { at: "/agreementDetails", code: "V11120", kind: "object", base: wallet },
  {
    at: "/agreementDetails/frequency",
    code: "V11121",
    kind: "text",
    base: wallet,
    accepts: ["daily", "monthly", "annual"],
    refuses: ["", "Daily", "weekly", "yearly"],
  },
  {
    at: "/agreementDetails/frequencyCount",
    code: "V11122",
    kind: "number",
    base: wallet,
    accepts: [1, 2, 12, 1_000_000, written("1e1"), written("3.0")],
    refuses: [0, -1, 1.5, "1", 1_000_001, written("1e400"), written("-0")],
  },
  {
    at: "/agreementDetails/description",
    code: "V11123",
    kind: "text",
    base: wallet,
    required: true,
    ...textLimits(140),
  },
  {
    at: "/agreementDetails/startDate",
    code: "V11124",
    kind: "text",
    base: wallet,
    ...DAYS,
    accepts: [...DAYS.accepts, "2020-01-01"],
  },
  { at: "/agreementDetails/endDate", code: "V11125", kind: "text", base: wallet, ...DAYS },
  {
    at: "/agreementDetails/amount",
    code: "V11126",
    kind: "number",
    base: wallet,
    accepts: [0, 1, 99_999_999_999, written("1e3")],
    refuses: [-1, 1.5, 100_000_000_000, "1", written("1e400")],
  },
  {
    at: "/agreementDetails/managementURL",
    code: "V11127",
    kind: "text",
    base: wallet,
    required: true,
    ...WEB_URLS,
  },
  {
    at: "/agreementDetails/billingAgreement",
    code: "V11128",
    kind: "text",
    base: wallet,
    ...textLimits(140),
  },
];

describe("spec 2.6: every field of agreementDetails at both sides of its limits", () => {
  for (const field of AGREEMENT_FIELDS) testField(() => gateway, field);

  test("all fields together are returned as sent", async () => {
    const agreementDetails = {
      frequency: "monthly",
      frequencyCount: 3,
      description: "Gym",
      startDate: "2026-03-01",
      endDate: "2027-02-28",
      amount: 4900,
      managementURL: "https://gym.example/agreement",
      billingAgreement: "You can cancel at any time.",
    };
    const { body } = await assertAccepted(gateway, { ...WALLET, agreementDetails });
    assert.deepEqual(body.agreementDetails, agreementDetails);
  });
});

describe("contract 3: agreementDetails only together with apple_pay", () => {
  for (const paymentMethods of [["card"], ["google_pay"], ["card", "google_pay"]]) {
    test(`with ${paymentMethods.join(" and ")} alone agreementDetails are refused`, async () => {
      await assertRefused(gateway, { ...WALLET, paymentMethods }, [["V11120", "/agreementDetails"]]);
    });
  }

  for (const paymentMethods of [["apple_pay"], ["card", "apple_pay"], ["apple_pay", "google_pay", "card"]]) {
    test(`with ${paymentMethods.join(" and ")} agreementDetails are accepted`, async () => {
      await assertAccepted(gateway, { ...WALLET, paymentMethods });
    });
  }

  test("on a hosted page the default method card is not enough", async () => {
    const page = { ...HOSTED, agreementDetails: AGREEMENT };
    await assertRefused(gateway, page, [["V11120", "/agreementDetails"]]);
    await assertAccepted(gateway, { ...page, paymentMethods: ["apple_pay"] });
  });

  test("with invalid methods the agreement is not reported", async () => {
    await assertRefused(gateway, { ...WALLET, paymentMethods: ["cash"] }, [["V11104", "/paymentMethods/0"]]);
  });
});

describe("spec 2.6: endDate is not before startDate", () => {
  const dated = (dates: object) => ({ ...WALLET, agreementDetails: { ...AGREEMENT, ...dates } });
  const backwards = [["V11125", "/agreementDetails/endDate"]] as const;

  test("the same day is accepted, the day before is refused", async () => {
    await assertAccepted(gateway, dated({ startDate: "2026-03-01", endDate: "2026-03-01" }));
    await assertRefused(gateway, dated({ startDate: "2026-03-01", endDate: "2026-02-28" }), backwards);
  });

  test("with an invalid startDate endDate is not reported", async () => {
    await assertRefused(gateway, dated({ startDate: "soon", endDate: "2020-01-01" }), [
      ["V11124", "/agreementDetails/startDate"],
    ]);
  });

  test("without startDate endDate is not before today", async () => {
    await assertAccepted(gateway, dated({ endDate: "2026-02-10" }));
    await assertRefused(gateway, dated({ endDate: "2026-02-09" }), backwards);
  });
});

describe("spec 2.6, contract 8: startDate defaults to today in the merchant's time zone", () => {
  const merchants = new Map<string, string>();
  before(async () => {
    for (const country of ["AU", "NZ"] as const) {
      merchants.set(country, (await gateway.newMerchant({ country })).key);
    }
  });
  after(() => {
    now = NOON;
  });

  const cases = [
    ["AU", "2026-02-10T12:59:59.999Z", "2026-02-10"],
    ["AU", "2026-02-10T13:00:00.000Z", "2026-02-11"],
    ["NZ", "2026-02-10T10:59:59.999Z", "2026-02-10"],
    ["NZ", "2026-02-10T11:00:00.000Z", "2026-02-11"],
    ["AU", "2026-07-01T13:59:59.999Z", "2026-07-01"],
    ["AU", "2026-07-01T14:00:00.000Z", "2026-07-02"],
    ["NZ", "2026-07-01T11:59:59.999Z", "2026-07-01"],
    ["NZ", "2026-07-01T12:00:00.000Z", "2026-07-02"],
  ] as const;
  for (const [country, time, day] of cases) {
    test(`${country} at ${time}: ${day}`, async () => {
      now = instant(Date.parse(time));
      const key = merchants.get(country) ?? "";
      const made = await postRequest(gateway, WALLET, { key });
      assert.equal(made.body.agreementDetails.startDate, day);
      assert.equal(made.body.agreementDetails.amount, 0);
      const ending = (endDate: string) => withValue(WALLET, "/agreementDetails/endDate", endDate);
      assert.equal((await postRequest(gateway, ending(day), { key })).status, 200);
      const yesterday = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
      await assertRefused(gateway, ending(yesterday), [["V11125", "/agreementDetails/endDate"]], { key });
    });
  }

  test("today follows the merchant's own clock", async () => {
    now = instant(Date.parse("2026-07-01T02:00:00.000Z"));
    const { key } = await gateway.newMerchant();
    assert.equal((await postRequest(gateway, WALLET, { key })).body.agreementDetails.startDate, "2026-07-01");
    await gateway.post("/sandbox/clock/advance", { seconds: 86_400 }, { key });
    assert.equal((await postRequest(gateway, WALLET, { key })).body.agreementDetails.startDate, "2026-07-02");
  });
});

describe("contract 3: a live merchant's managementURL is https", () => {
  let key: string;
  before(async () => {
    const merchant = await gateway.newMerchant({ mode: "live" });
    key = merchant.key;
    // Only the operator can enable a live merchant's capabilities.
    await gateway.database.rows(
      `update merchants set capabilities = (select capabilities from merchants where founding) where id = $1`,
      [merchant.id],
    );
  });

  for (const url of ["http://gym.example/", "HTTP://gym.example/", "http://localhost/"]) {
    test(`${url} is refused in live mode`, async () => {
      const body = withValue(WALLET, "/agreementDetails/managementURL", url);
      const call = { key, mode: "live" };
      await assertRefused(gateway, body, [["V11127", "/agreementDetails/managementURL"]], call);
      await assertAccepted(gateway, body);
    });
  }

  for (const url of ["https://gym.example/", "HTTPS://gym.example/http://"]) {
    test(`${url} is accepted in live mode`, async () => {
      const body = withValue(WALLET, "/agreementDetails/managementURL", url);
      const answer = await assertAccepted(gateway, body, { key });
      assert.equal(answer.body.result.mode, "live");
    });
  }

  test("http is refused for redirectUrl and cancelUrl; https, apps and http images are accepted", async () => {
    for (const [name, code] of [
      ["redirectUrl", "V11207"],
      ["cancelUrl", "V11209"],
    ] as const) {
      const at = `/hostedPaymentPage/${name}`;
      for (const url of ["http://shop.example/", "HTTP://shop.example/"])
        await assertRefused(gateway, withValue(HOSTED, at, url), [[code, at]], { key, mode: "live" });
      for (const url of ["https://shop.example/", "myapp://http:"]) {
        const body = withValue(HOSTED, at, url);
        assertEchoed((await assertAccepted(gateway, body, { key })).body, body);
      }
    }
    const lineItems = [{ title: "Tea", amount: 3000, image: "http://shop.example/tea.png" }];
    await assertAccepted(gateway, withValue(HOSTED, "/hostedPaymentPage/lineItems", lineItems), { key });
  });
});

describe("spec 2.6: agreementDetails are optional for tokenising a wallet instrument", () => {
  test("wallet, create and recurring are accepted without them", async () => {
    const body = {
      ...withoutValue(WALLET, "/agreementDetails"),
      customerRequest: { paymentInstrument: "create" },
      transactionRequest: { category: { frequency: "recurring" } },
    };
    const answer = (await assertAccepted(gateway, body)).body;
    assertEchoed(answer, body);
    assert.equal("agreementDetails" in answer, false);
  });
});
