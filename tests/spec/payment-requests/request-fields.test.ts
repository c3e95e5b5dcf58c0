import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { shownCode } from "../../support/codes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type Field, testField, textLimits, written } from "./field-table.ts";
import { assertAccepted, assertEchoed, assertRefused } from "./request-assertions.ts";
import { CHECKOUT, freshPayId, HOSTED, payIdRequest, withoutValue, withValue } from "./sample-requests.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" } });
});
after(() => gateway.stop());

const checkout = () => CHECKOUT;

/** Amounts that are not a whole number of cents or out of range. */
const NO_AMOUNTS = [
  ...[0, -1, 1.5, 0.1, 100_000_000_000, "100", "1e3", ""],
  ...["-0", "0.0", "1e11", "1e400", "-1e400", "1e-1", "99999999999.5"].map(written),
];

const FIELDS: readonly Field[] = [
  { at: "/reference", code: "V10004", kind: "text", base: checkout, ...textLimits(64) },
  { at: "/externalReference", code: "V11111", kind: "text", base: checkout, ...textLimits(64) },
  { at: "/payment", code: "V11100", kind: "object", base: checkout, required: true },
  {
    at: "/payment/amount",
    code: "V11101",
    kind: "number",
    base: checkout,
    required: true,
    accepts: [
      1,
      99_999_999_999,
      written("1e3"),
      written("1.0"),
      written("100e-2"),
      written("9.9999999999e10"),
    ],
    refuses: NO_AMOUNTS,
  },
  {
    at: "/payment/currencyCode",
    code: "V11102",
    kind: "text",
    base: checkout,
    accepts: ["AUD", "NZD"],
    refuses: ["", "aud", "USD", "AUD ", "AU", "036", "AUD\u0000"],
  },
  {
    at: "/payment/description",
    code: "V11103",
    kind: "text",
    base: checkout,
    ...textLimits(255, { empty: true }),
  },
  {
    at: "/payment/instrument",
    code: "V11130",
    kind: "object",
    base: () => ({ payment: { amount: 3000 } }),
  },
  {
    at: "/payment/instrument/payId",
    code: "V11131",
    kind: "object",
    base: payIdRequest,
    required: true,
  },
  {
    at: "/payment/instrument/payId/type",
    code: "V11132",
    kind: "text",
    base: payIdRequest,
    required: true,
    accepts: ["single"],
    refuses: ["", "Single", "multiple", "single "],
  },
  {
    at: "/payment/instrument/payId/value",
    code: "V11133",
    kind: "text",
    base: payIdRequest,
    required: true,
    refuses: [
      ...["", "x".repeat(65), "with space", "a@b", "a+b", "é", "🌊", "a/b", "%41", " a", "a\n", "\u0000"],
      ...["a\u0000b", "a\ud800b", "ａ"],
    ],
  },
  {
    at: "/paymentMethods",
    code: "V11104",
    kind: "list",
    base: checkout,
    required: true,
    accepts: [
      ["card"],
      ["apple_pay"],
      ["google_pay"],
      ["google_pay", "card"],
      ["card", "apple_pay", "google_pay"],
    ],
    refuses: [
      [],
      ["card", "card"],
      ["card", "apple_pay", "card"],
      ["card", "apple_pay", "google_pay", "card"],
    ],
  },
  ...[null, "Card", "", "paypal", "card ", 1, {}, [], ["card"]].map(
    (method): Field => ({
      at: "/paymentMethods/0",
      code: "V11104",
      kind: "text",
      base: checkout,
      refuses: [method],
    }),
  ),
  {
    at: "/transactionRequest",
    code: "V11105",
    kind: "object",
    base: checkout,
    required: true,
    accepts: [{}, { category: {} }],
  },
  { at: "/transactionRequest/category", code: "V11106", kind: "object", base: checkout, accepts: [{}] },
  {
    at: "/transactionRequest/attempts",
    code: "V11137",
    kind: "number",
    base: checkout,
    accepts: [1, 2, 3, written("2.0"), written("30e-1")],
    refuses: [0, 4, -1, 1.5, "1", written("1e400"), written("-0")],
  },
  {
    at: "/transactionRequest/category/frequency",
    code: "V11107",
    kind: "text",
    base: checkout,
    accepts: ["single", "recurring"],
    refuses: ["", "Single", "once"],
  },
  {
    at: "/transactionRequest/category/captureType",
    code: "V11108",
    kind: "text",
    base: checkout,
    accepts: ["auto", "manual"],
    refuses: ["", "Auto", "automatic"],
  },
  {
    at: "/transactionRequest/category/authenticationType",
    code: "V11109",
    kind: "text",
    base: checkout,
    accepts: ["3d_secure"],
    refuses: ["", "3D_Secure", "3ds", "none"],
  },
  {
    at: "/transactionRequest/category/partialApproval",
    code: "V11136",
    kind: "text",
    base: checkout,
    accepts: ["decline", "accept"],
    refuses: ["", "Accept", "refuse"],
  },
  { at: "/hostedPaymentPage", code: "V11200", kind: "object", base: () => HOSTED },
  { at: "/customerRequest", code: "V11112", kind: "object", base: checkout, accepts: [{}] },
];

describe("spec 2.1, 2.8: every field of a payment request at both sides of its limits", () => {
  for (const field of FIELDS) testField(() => gateway, field);

  const values = ["a", "0", "-", "._-", "a-z.0_9", "x".repeat(64)];
  for (const value of values) {
    test(`/payment/instrument/payId/value: ${value} is accepted and returned as an e-mail address`, async () => {
      const { body } = await assertAccepted(gateway, payIdRequest(value));
      const { url, token, ...payId } = body.payment.instrument.payId;
      assert.deepEqual(payId, { type: "single", email: `${value}@payid.tidegate.test` });
    });
  }

  test("an unknown name in a list of methods is refused at its index", async () => {
    await assertRefused(gateway, withValue(CHECKOUT, "/paymentMethods", ["card", "cash", 5]), [
      ["V11104", "/paymentMethods/1"],
      ["V11104", "/paymentMethods/2"],
    ]);
  });
});

describe("contract 3: a request is exactly one of checkout, hosted page and PayID", () => {
  test("with payment alone the two fields that a checkout requires are named", async () => {
    await assertRefused(gateway, { payment: { amount: 1 } }, [
      ["V11104", "/paymentMethods"],
      ["V11105", "/transactionRequest"],
    ]);
  });

  test("with an empty body all three are named", async () => {
    await assertRefused(gateway, {}, [
      ["V11100", "/payment"],
      ["V11104", "/paymentMethods"],
      ["V11105", "/transactionRequest"],
    ]);
  });

  test("a hosted page requires neither and accepts both", async () => {
    await assertAccepted(gateway, HOSTED);
    await assertAccepted(gateway, { ...HOSTED, paymentMethods: ["card"], transactionRequest: {} });
  });

  test("a PayID request requires payment alone", async () => {
    await assertAccepted(gateway, payIdRequest());
    await assertAccepted(gateway, { ...payIdRequest(), reference: "r", externalReference: "e" });
  });

  const companions = {
    paymentMethods: ["card"],
    hostedPaymentPage: HOSTED.hostedPaymentPage,
    customerRequest: {},
    transactionRequest: {},
  };
  for (const [name, part] of Object.entries(companions)) {
    test(`a PayID request with ${name} is refused`, async () => {
      await assertRefused(gateway, { ...payIdRequest(), [name]: part }, [["V11134", `/${name}`]]);
    });
  }

  test("a PayID request with all four names all four", async () => {
    await assertRefused(
      gateway,
      { ...payIdRequest(), ...companions },
      Object.keys(companions).map((name) => ["V11134", `/${name}`] as const),
    );
  });

  test("a PayID request with an invalid extra field names what is invalid", async () => {
    await assertRefused(gateway, { ...payIdRequest(), transactionRequest: 5 }, [
      ["V11105", "/transactionRequest"],
    ]);
    await assertRefused(gateway, { ...payIdRequest(), paymentMethods: ["cash"] }, [
      ["V11104", "/paymentMethods/0"],
      ["V11134", "/paymentMethods"],
    ]);
  });

  test("an invalid PayID is still a PayID request: no checkout fields are required", async () => {
    await assertRefused(gateway, payIdRequest("NOT FINE"), [["V11133", "/payment/instrument/payId/value"]]);
    await assertRefused(gateway, withValue({ payment: { amount: 1 } }, "/payment/instrument", 5), [
      ["V11130", "/payment/instrument"],
    ]);
  });

  test("a PayID request with agreementDetails is refused, because it has no wallet", async () => {
    const agreementDetails = { description: "d", managementURL: "https://shop.example/" };
    await assertRefused(gateway, { ...payIdRequest(), agreementDetails }, [["V11120", "/agreementDetails"]]);
  });
});

describe("contract 2: unknown fields are refused at every level", () => {
  const full = {
    ...HOSTED,
    paymentMethods: ["card", "apple_pay"],
    transactionRequest: { category: {} },
    customerRequest: {},
    agreementDetails: { description: "d", managementURL: "https://shop.example/" },
    hostedPaymentPage: {
      ...HOSTED.hostedPaymentPage,
      lineItems: [{ title: "t", amount: 3000 }],
      adjustments: [{ title: "t", amount: 0, adjustmentType: "Tax" }],
    },
  };
  const places = [
    "",
    "/payment",
    "/transactionRequest",
    "/transactionRequest/category",
    "/customerRequest",
    "/agreementDetails",
    "/hostedPaymentPage",
    "/hostedPaymentPage/lineItems/0",
    "/hostedPaymentPage/adjustments/0",
  ];
  test("control: the request without them is accepted", async () => {
    await assertAccepted(gateway, full);
  });

  for (const place of places) {
    test(`${place || "the body"}: an unknown field is refused`, async () => {
      await assertRefused(gateway, withValue(full, `${place}/colour`, "blue"), [
        ["V11003", `${place}/colour`],
      ]);
    });
  }

  for (const place of ["/payment/instrument", "/payment/instrument/payId"]) {
    test(`${place}: an unknown field is refused`, async () => {
      await assertRefused(gateway, withValue(payIdRequest(), `${place}/colour`, null), [
        ["V11003", `${place}/colour`],
      ]);
    });
  }

  const responseOnly = {
    "/id": "pr_1",
    "/createdDateTime": "2026-01-01T00:00:00Z",
    "/updatedDateTime": "2026-01-01T00:00:00Z",
    "/paymentRequestStatus": "completed",
    "/transactionResult": {},
    "/transactionAttempts": [],
    "/customerResult": {},
    "/result": {},
    "/hostedPaymentPage/url": "https://shop.example/",
  };
  for (const [place, value] of Object.entries(responseOnly)) {
    test(`${place} is response-only and refused in a request`, async () => {
      await assertRefused(gateway, withValue(full, place, value), [["V11003", place]]);
    });
  }

  test("/payment/instrument/payId/email is response-only and refused in a request", async () => {
    const email = "a@payid.tidegate.test";
    await assertRefused(gateway, withValue(payIdRequest(), "/payment/instrument/payId/email", email), [
      ["V11003", "/payment/instrument/payId/email"],
    ]);
  });

  test("a field name is escaped as a JSON pointer", async () => {
    await assertRefused(gateway, { ...CHECKOUT, "a/b~c": 1, "": 2 }, [
      ["V11003", "/a~1b~0c"],
      ["V11003", "/"],
    ]);
  });

  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    test(`${name} is an unknown field like any other`, async () => {
      const body = `{"${name}":{"amount":1},${JSON.stringify(CHECKOUT).slice(1)}`;
      await assertRefused(gateway, body, [["V11003", `/${name}`]]);
      const inside = JSON.stringify(CHECKOUT).replace(`"amount"`, `"${name}":1,"amount"`);
      await assertRefused(gateway, inside, [["V11003", `/payment/${name}`]]);
    });
  }
});

describe("contract 2: all problems of a request are returned at once", () => {
  test("schema problems, cross-field problems and unknown fields are named together", async () => {
    const body = {
      reference: "",
      expiryDateTime: "tomorrow",
      payment: { amount: -1, currencyCode: "USD" },
      paymentMethods: [],
      customerRequest: { email: "invalid", name: "", paymentInstrument: "delete" },
      agreementDetails: { frequencyCount: 0, endDate: "2020-01-01", managementURL: "x" },
      hostedPaymentPage: {
        logo: "none",
        resultPage: "redirect",
        attempts: 4,
        adjustments: [{ title: "", amount: 1.5, adjustmentType: "Gift" }, {}],
      },
      extra: true,
    };
    await assertRefused(gateway, body, [
      ["V10004", "/reference"],
      ["V11110", "/expiryDateTime"],
      ["V11101", "/payment/amount"],
      ["V11102", "/payment/currencyCode"],
      ["V11104", "/paymentMethods"],
      ["V10215", "/customerRequest/email"],
      ["V10216", "/customerRequest/name"],
      ["V10219", "/customerRequest/paymentInstrument"],
      ["V11122", "/agreementDetails/frequencyCount"],
      ["V11123", "/agreementDetails/description"],
      ["V11125", "/agreementDetails/endDate"],
      ["V11127", "/agreementDetails/managementURL"],
      ["V11202", "/hostedPaymentPage/logo"],
      ["V11207", "/hostedPaymentPage/redirectUrl"],
      ["V11208", "/hostedPaymentPage/attempts"],
      ["V11210", "/hostedPaymentPage/lineItems"],
      ["V11222", "/hostedPaymentPage/adjustments/0/title"],
      ["V11223", "/hostedPaymentPage/adjustments/0/amount"],
      ["V11224", "/hostedPaymentPage/adjustments/0/adjustmentType"],
      ["V11222", "/hostedPaymentPage/adjustments/1/title"],
      ["V11223", "/hostedPaymentPage/adjustments/1/amount"],
      ["V11224", "/hostedPaymentPage/adjustments/1/adjustmentType"],
      ["V11003", "/extra"],
    ]);
  });

  test("no value of the request is returned", async () => {
    const secret = "4111111111111111";
    const body = {
      [`x`]: secret,
      reference: secret.repeat(9),
      payment: { amount: secret, currencyCode: secret },
      paymentMethods: [secret],
      transactionRequest: secret,
      customerRequest: { email: secret, id: secret.repeat(9) },
      hostedPaymentPage: { logo: secret, resultPage: secret },
    };
    const answer = await gateway.post("/paymentrequests", body);
    assert.equal(answer.status, 400);
    assert.doesNotMatch(JSON.stringify(answer.body), /4111/);
  });

  test("the response stays bounded, however many problems there are", async () => {
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`x${index}`, 0]));
    const answer = await gateway.post("/paymentrequests", many);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.result.codes.length, 1000);
  });
});

describe("contract 2: the body is one JSON object", () => {
  for (const text of ["null", "[]", "5", `"text"`, "true", "[{}]"]) {
    test(`${text} is refused`, async () => {
      await assertRefused(gateway, text, [["V11005", ""]]);
    });
  }

  for (const text of [
    "{",
    "{]",
    "nothing",
    "{'a':1}",
    `{"a":1,}`,
    "{}{}",
    `{"a":01}`,
    "\ufeff\ufeff{}",
    " ",
  ]) {
    test(`${JSON.stringify(text)} is malformed JSON`, async () => {
      const answer = await gateway.post("/paymentrequests", text);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.result.codes, [shownCode("V11000 body_json_malformed", gateway.baseUrl)]);
    });
  }

  test("a missing body is refused as not an object", async () => {
    const answer = await gateway.post("/paymentrequests");
    assert.equal(answer.status, 400);
    assert.equal(answer.body.result.codes[0].id, "V11005");
  });

  test("deep structures are refused like any value of the wrong type", async () => {
    const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
    const bodies = [
      deep("[", "]"),
      `${`{"payment":`.repeat(10_000)}1${"}".repeat(10_000)}`,
      JSON.stringify(CHECKOUT).replace(`["card"]`, deep("[", "]")),
      JSON.stringify(CHECKOUT).replace("3000", deep("[", "]")),
    ];
    for (const body of bodies) {
      const answer = await gateway.post("/paymentrequests", body);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.result.status, "validation_error");
    }
  });
});

describe("spec 7: the codes have the specification's names", () => {
  const named = {
    V10214: ["payment_request_customer_id_invalid", "/customerRequest/id"],
    V10215: ["payment_request_customer_email_invalid", "/customerRequest/email"],
    V10216: ["payment_request_customer_name_invalid", "/customerRequest/name"],
    V10219: ["payment_request_customer_paymentinstrument_invalid", "/customerRequest/paymentInstrument"],
  };
  for (const [id, [message, field = ""]] of Object.entries(named)) {
    test(`${id} is ${message}`, async () => {
      const { body } = await gateway.post("/paymentrequests", withValue(CHECKOUT, field, ""));
      assert.deepEqual(body.result.codes, [{ ...shownCode(`${id} ${message}`, gateway.baseUrl), field }]);
    });
  }
});

describe("a full request", () => {
  test("is returned with everything that was sent", async () => {
    const sent = {
      reference: "order-1",
      externalReference: "ext-1",
      payment: { amount: 4250, currencyCode: "NZD", description: "Two tickets 🎫" },
      paymentMethods: ["google_pay", "apple_pay", "card"],
      transactionRequest: {
        category: {
          frequency: "recurring",
          captureType: "manual",
          authenticationType: "3d_secure",
          partialApproval: "accept",
        },
      },
      customerRequest: { paymentInstrument: "create", name: "Ana Māori" },
    };
    assertEchoed((await assertAccepted(gateway, sent)).body, sent);
  });

  test("is accepted once its only invalid field is removed", async () => {
    const broken = withValue({ ...payIdRequest(freshPayId()) }, "/reference", "");
    await assertRefused(gateway, broken, [["V10004", "/reference"]]);
    await assertAccepted(gateway, withoutValue(broken, "/reference"));
  });
});
