import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { dataUri, smallPng, svg, webps } from "../../support/sample-logos.ts";
import { type Field, returnUrls, testField, textLimits, WEB_URLS, written } from "./field-table.ts";
import { assertAccepted, assertEchoed, assertRefused, postRequest } from "./request-assertions.ts";
import { type Body, HOSTED, hostedWith, withoutValue, withValue } from "./sample-requests.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" } });
});
after(() => gateway.stop());

const PAGE = "/hostedPaymentPage";
const ITEM = `${PAGE}/lineItems/0`;
const ADJUSTMENT = `${PAGE}/adjustments/0`;
const hosted = () => HOSTED;

/** One line item of 3000 and one adjustment of 0, so that other fields can change without the total. */
const itemised = () =>
  hostedWith(
    3000,
    [{ title: "Ticket", amount: 3000 }],
    [{ title: "Rounding", amount: 0, adjustmentType: "Other" }],
  );

/** An SVG image of exactly that size. */
const svgOfSize = (bytes: number) => {
  const empty = svg("<title></title>");
  return svg(`<title>${"x".repeat(bytes - empty.length)}</title>`);
};
const svgUriOfSize = (bytes: number) => dataUri("image/svg+xml", svgOfSize(bytes));

const FIELDS: readonly Field[] = [
  { at: `${PAGE}/merchantName`, code: "V11201", kind: "text", base: hosted, ...textLimits(140) },
  {
    at: `${PAGE}/logo`,
    code: "V11202",
    kind: "text",
    base: hosted,
    required: true,
    accepts: [
      dataUri("image/png", smallPng),
      dataUri("image/webp", webps.lossless),
      dataUri("image/svg+xml", svg("<rect width='1' height='1'/>")),
      dataUri("image/svg+xml", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">${svg("<g/>")}`),
      svgUriOfSize(10_240),
    ],
    refuses: [
      "",
      "logo.png",
      "https://shop.example/logo.png",
      "data:image/png,abc",
      dataUri("image/gif", smallPng),
      dataUri("text/html", "<p>"),
      dataUri("image/png", smallPng).replace(";base64", ""),
      `${dataUri("image/jpeg", Buffer.alloc(20_000))}`,
    ],
  },
  {
    at: `${PAGE}/resultPage`,
    code: "V11206",
    kind: "text",
    base: hosted,
    accepts: ["show", "none"],
    refuses: ["", "Show", "hide"],
  },
  { at: `${PAGE}/redirectUrl`, code: "V11207", kind: "text", base: hosted, ...returnUrls() },
  { at: `${PAGE}/cancelUrl`, code: "V11209", kind: "text", base: hosted, ...returnUrls() },
  {
    at: `${PAGE}/attempts`,
    code: "V11208",
    kind: "number",
    base: hosted,
    accepts: [1, 2, 3, written("2.0"), written("30e-1")],
    refuses: [0, 4, -1, 1.5, "1", written("1e400"), written("-0")],
  },
  // A hosted page has its own.
  {
    at: "/transactionRequest/attempts",
    code: "V11137",
    kind: "number",
    base: () => ({ ...hosted(), transactionRequest: {} }),
    accepts: [],
    refuses: [0, 1, 2, 3, 4],
  },
  {
    at: `${PAGE}/lineItems`,
    code: "V11210",
    kind: "list",
    base: () => withoutValue(itemised(), `${PAGE}/adjustments`),
  },
  { at: `${PAGE}/lineItems`, code: "V11210", kind: "list", base: itemised },
  { at: ITEM, code: "V11211", kind: "object", base: itemised },
  { at: `${ITEM}/title`, code: "V11212", kind: "text", base: itemised, required: true, ...textLimits(50) },
  { at: `${ITEM}/image`, code: "V11213", kind: "text", base: itemised, ...WEB_URLS },
  {
    at: `${ITEM}/amount`,
    code: "V11214",
    kind: "number",
    base: itemised,
    required: true,
    accepts: [0, 1, 99_999_999_998, written("1e3"), written("5.0"), written("0.0")],
    body: (value) =>
      hostedWith(Number(JSON.stringify(value)) + 1, [
        { title: "Tested", amount: value },
        { title: "One cent", amount: 1 },
      ]),
    refuses: [-1, 1.5, 100_000_000_000, "5", written("1e400"), written("1e-1")],
  },
  {
    at: `${ITEM}/quantity`,
    code: "V11215",
    kind: "number",
    base: itemised,
    refuses: [
      0,
      -1,
      -0.001,
      0.0004,
      0.00049,
      "1",
      written("1e-7"),
      written("1e300"),
      written("1e400"),
      written("-0"),
      99_999_999_999,
    ],
  },
  { at: `${ITEM}/modifier`, code: "V11216", kind: "text", base: itemised, ...textLimits(50) },
  { at: `${PAGE}/adjustments`, code: "V11220", kind: "list", base: itemised },
  { at: ADJUSTMENT, code: "V11221", kind: "object", base: itemised },
  {
    at: `${ADJUSTMENT}/title`,
    code: "V11222",
    kind: "text",
    base: itemised,
    required: true,
    ...textLimits(30),
  },
  {
    at: `${ADJUSTMENT}/amount`,
    code: "V11223",
    kind: "number",
    base: itemised,
    required: true,
    accepts: [0, 1, 500, -500, -2999, 99_999_996_999, written("-1e3")],
    body: (value) =>
      hostedWith(
        3000 + Number(JSON.stringify(value)),
        [{ title: "Ticket", amount: 3000 }],
        [{ title: "Tested", amount: value, adjustmentType: "Other" }],
      ),
    refuses: [1.5, -1.5, 100_000_000_000, -100_000_000_000, "5", written("1e400")],
  },
  {
    at: `${ADJUSTMENT}/adjustmentType`,
    code: "V11224",
    kind: "text",
    base: itemised,
    required: true,
    accepts: [
      ...["Other", "Discount", "Shipping", "Tax", "other", "DISCOUNT", "shipping", "tAX", "sHiPpInG"],
    ],
    echo: (value) => `${String(value).charAt(0).toUpperCase()}${String(value).slice(1).toLowerCase()}`,
    refuses: ["", "Gift", "Tax ", " Tax", "Taxes", "tax\n", "ſhipping", "Dıscount", "Other|Tax"],
  },
  {
    at: `${ADJUSTMENT}/order`,
    code: "V11225",
    kind: "number",
    base: itemised,
    accepts: [0, 1, -1, 2_147_483_647, -2_147_483_647, written("1e3")],
    refuses: [1.5, 2_147_483_648, -2_147_483_648, "1", written("1e400")],
  },
];

describe("spec 2.4, 8: every field of a hosted page at both sides of its limits", () => {
  for (const field of FIELDS) testField(() => gateway, field);
});

describe("spec 2.4: the logo is an image of at most 10,240 bytes", () => {
  const refused = [
    ["V11203", "one byte too many", svgUriOfSize(10_241)],
    ["V11203", "three bytes too many, visible in the base64 length", svgUriOfSize(10_243)],
    ["V11203", "30 KB", svgUriOfSize(30_000)],
    ["V11203", "100 KB", svgUriOfSize(100_000)],
    ["V11204", "a PNG declared as WebP", dataUri("image/webp", smallPng)],
    ["V11204", "no bytes", "data:image/png;base64,"],
    ["V11204", "base64 with a space in it", `${HOSTED.hostedPaymentPage.logo} `],
    ["V11204", "an SVG that is not XML", dataUri("image/svg+xml", "<svg")],
    ["V11205", "an SVG with a script", dataUri("image/svg+xml", svg("<script>1</script>"))],
    [
      "V11205",
      "a drawing with an entity",
      dataUri("image/svg+xml", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("")}`),
    ],
    ["V11205", "an SVG with an event handler", dataUri("image/svg+xml", svg("<rect onclick='1'/>"))],
    [
      "V11205",
      "an SVG with an external image",
      dataUri("image/svg+xml", svg("<image href='https://x.example/a.png'/>")),
    ],
  ] as const;
  for (const [code, what, logo] of refused) {
    test(`${what} is refused with ${code}`, async () => {
      await assertRefused(gateway, withValue(HOSTED, `${PAGE}/logo`, logo), [[code, `${PAGE}/logo`]]);
    });
  }
});

describe("contract 3: a refused SVG says why", () => {
  const NS = 'xmlns="http://www.w3.org/2000/svg"';
  const why = async (markup: string) => {
    const body = withValue(HOSTED, `${PAGE}/logo`, dataUri("image/svg+xml", markup));
    const { status, body: answer } = await postRequest(gateway, body);
    return [status, answer.result.codes?.[0]?.id, answer.result.codes?.[0]?.reason];
  };

  for (const [what, markup, code, reason] of [
    ["a script", `<svg ${NS}><script>alert(1)</script></svg>`, "V11205", /element `script`/],
    ["a link", `<svg ${NS}><a href="#x"/></svg>`, "V11205", /element `a`/],
    ["an unknown element", `<svg ${NS}><secret/></svg>`, "V11205", /still drawing/],
    ["an event handler", `<svg ${NS} onload="alert(1)"/>`, "V11205", /event handler/],
    [
      "a reference elsewhere",
      `<svg ${NS}><use href="https://evil.example/x"/></svg>`,
      "V11205",
      /outside the file/,
    ],
    ["a style that loads", `<svg ${NS}><style>@import "x"</style></svg>`, "V11205", /loads something/],
    ["entities", `<!DOCTYPE svg [<!ENTITY a "b">]><svg ${NS}/>`, "V11205", /DOCTYPE declares/],
    ["a style sheet", `<?xml-stylesheet href="x"?><svg ${NS}/>`, "V11205", /processing instruction/],
    [
      "deep nesting",
      `<svg ${NS}>${"<g>".repeat(64)}${"</g>".repeat(64)}</svg>`,
      "V11205",
      /more than 64 deep/,
    ],
    ["an undefined entity", `<svg ${NS}>&nbsp;</svg>`, "V11204", /not well-formed XML/],
    ["HTML", `<html/>`, "V11204", /not `svg`/],
    ["a DOCTYPE of HTML", `<!DOCTYPE html><svg ${NS}/>`, "V11204", /DOCTYPE says `html`/],
    ["an HTML page", `\n<!doctype HTML>\n<html><p>hi</html>`, "V11204", /DOCTYPE says `html`/],
    ["a DOCTYPE of another name", `<!DOCTYPE math><svg ${NS}/>`, "V11204", /another kind of document/],
    ["a DOCTYPE that is not plain", `<!DOCTYPE svg please><svg ${NS}/>`, "V11205", /DOCTYPE is not plain/],
    ["another encoding", `<?xml version="1.0" encoding="utf-16"?><svg ${NS}/>`, "V11204", /encoding/],
  ] as const) {
    test(`for ${what}`, async () => {
      const [status, id, said] = await why(markup);
      assert.deepEqual([status, id], [400, code]);
      assert.match(said, reason);
      assert.doesNotMatch(said, /evil|alert|secret/);
    });
  }

  test("and a plain DOCTYPE is accepted; its DTD's name leads nowhere", async () => {
    const dtd = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://127.0.0.1:1/svg11.dtd">`;
    assert.equal((await why(`<?xml version="1.0"?>\n${dtd}\n<svg ${NS}/>`))[0], 200);
    assert.equal((await why(`<!DOCTYPE svg []><svg ${NS}/>`))[0], 200);
  });
});

describe("spec 2.4: redirectUrl", () => {
  test("is required when resultPage is redirect", async () => {
    const redirecting = withValue(HOSTED, `${PAGE}/resultPage`, "redirect");
    await assertRefused(gateway, redirecting, [["V11207", `${PAGE}/redirectUrl`]]);
    const complete = withValue(redirecting, `${PAGE}/redirectUrl`, "https://shop.example/thanks");
    assertEchoed((await assertAccepted(gateway, complete)).body, complete);
  });

  test("is reported once when it is invalid and required", async () => {
    const redirecting = withValue(HOSTED, `${PAGE}/resultPage`, "redirect");
    const broken = withValue(redirecting, `${PAGE}/redirectUrl`, "javascript:alert(1)");
    await assertRefused(gateway, broken, [["V11207", `${PAGE}/redirectUrl`]]);
  });

  for (const resultPage of ["show", "none"]) {
    test(`is optional with ${resultPage}`, async () => {
      const body = withValue(HOSTED, `${PAGE}/resultPage`, resultPage);
      await assertAccepted(gateway, body);
      await assertAccepted(gateway, withValue(body, `${PAGE}/redirectUrl`, "https://shop.example/"));
    });
  }
});

const items = (count: number, amount = 1) =>
  Array.from({ length: count }, (_, index) => ({ title: `Item ${index}`, amount }));
const adjustments = (count: number, extra: (index: number) => Body = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Adjustment ${index}`,
    amount: 1,
    adjustmentType: "Tax",
    ...extra(index),
  }));

describe("spec 2.4, 8: the number of line items and adjustments", () => {
  test("50 line items are accepted in order", async () => {
    const body = hostedWith(50, items(50));
    assertEchoed((await assertAccepted(gateway, body)).body, body);
  });

  test("51 line items are refused, and the total is not reported", async () => {
    await assertRefused(gateway, hostedWith(51, items(51)), [["V11210", `${PAGE}/lineItems`]]);
    await assertRefused(gateway, hostedWith(7, items(51)), [["V11210", `${PAGE}/lineItems`]]);
  });

  test("10 adjustments are accepted in order", async () => {
    const body = hostedWith(11, items(1), adjustments(10));
    assertEchoed((await assertAccepted(gateway, body)).body, body);
  });

  test("11 adjustments are refused", async () => {
    await assertRefused(gateway, hostedWith(12, items(1), adjustments(11)), [
      ["V11220", `${PAGE}/adjustments`],
    ]);
  });

  test("adjustments without line items are refused", async () => {
    await assertRefused(gateway, hostedWith(1, undefined, adjustments(1)), [["V11210", `${PAGE}/lineItems`]]);
  });

  test("each invalid item is named by its index", async () => {
    const broken = [{ title: "fine", amount: 1 }, { title: "", amount: 1 }, { amount: -1 }, null];
    await assertRefused(gateway, hostedWith(5, broken), [
      ["V11212", `${PAGE}/lineItems/1/title`],
      ["V11212", `${PAGE}/lineItems/2/title`],
      ["V11214", `${PAGE}/lineItems/2/amount`],
      ["V11211", `${PAGE}/lineItems/3`],
    ]);
  });
});

describe("spec 2.4: the order of adjustments", () => {
  const page = (...orders: (number | undefined)[]) =>
    hostedWith(
      1 + orders.length,
      items(1),
      adjustments(orders.length, (index) => (orders[index] === undefined ? {} : { order: orders[index] })),
    );
  const at = (index: number) => `${PAGE}/adjustments/${index}/order`;

  for (const orders of [[undefined, undefined], [1, 2, 3], [3, 1, 2], [0, -1, 100], [7]]) {
    test(`${JSON.stringify(orders)} is accepted and returned as sent`, async () => {
      const body = page(...orders);
      const answer = (await assertAccepted(gateway, body)).body;
      assert.deepEqual(
        answer.hostedPaymentPage.adjustments.map(({ order }: Body) => order),
        orders,
      );
    });
  }

  test("if one adjustment has an order, one without it is refused", async () => {
    await assertRefused(gateway, page(1, undefined, 3), [["V11225", at(1)]]);
    await assertRefused(gateway, page(undefined, 0), [["V11225", at(0)]]);
    // Also with another problem in an adjustment.
    const untitled = withValue(page(1, undefined), `${PAGE}/adjustments/0/title`, "");
    await assertRefused(gateway, untitled, [
      ["V11222", `${PAGE}/adjustments/0/title`],
      ["V11225", at(1)],
    ]);
  });

  test("the later of two equal orders is refused", async () => {
    await assertRefused(gateway, page(1, 2, 1), [["V11225", at(2)]]);
    await assertRefused(gateway, page(0, 0), [["V11225", at(1)]]);
  });

  test("1 and 1.0 are equal orders", async () => {
    const body = hostedWith(
      3,
      items(1),
      adjustments(2, (index) => ({ order: written(index === 0 ? "1" : "1.0") })),
    );
    await assertRefused(gateway, body, [["V11225", at(1)]]);
  });
});

describe("spec 2.4, contract 3: a quantity is rounded half up to 3 decimals, a line to a cent", () => {
  const lines: readonly (readonly [amount: number, quantity: unknown, rounded: number, total: number])[] = [
    [1000, undefined, 1, 1000],
    [1000, 1, 1, 1000],
    [1000, 2.5, 2.5, 2500],
    [1000, 1.0004, 1, 1000],
    [1000, 1.0005, 1.001, 1001],
    [1000, 1.00049999, 1, 1000],
    [1000, 0.0005, 0.001, 1],
    [1000, 0.001, 0.001, 1],
    [1000, 2.0025, 2.003, 2003],
    [1000, 0.9995, 1, 1000],
    [500, 0.001, 0.001, 1],
    [3, 0.5, 0.5, 2],
    [333, 1.5, 1.5, 500],
    [199, 0.333, 0.333, 66],
    [1, 99_999_999_999, 99_999_999_999, 99_999_999_999],
    [99_999_999_999, 1, 1, 99_999_999_999],
    [99_999_999, 1000.00001, 1000, 99_999_999_000],
    [1000, written("15e-1"), 1.5, 1500],
    [1000, written("1.50000"), 1.5, 1500],
  ];
  for (const [amount, quantity, rounded, total] of lines) {
    test(`${amount} x ${JSON.stringify(quantity) ?? "(default)"} is ${total}`, async () => {
      const body = hostedWith(total, [
        { title: "t", amount, ...(quantity === undefined ? {} : { quantity }) },
      ]);
      const answer = (await assertAccepted(gateway, body)).body;
      assert.deepEqual(answer.hostedPaymentPage.lineItems, [{ title: "t", amount, quantity: rounded }]);
      const off = withValue(body, "/payment/amount", total === 99_999_999_999 ? total - 1 : total + 1);
      await assertRefused(gateway, off, [["V11230", "/payment/amount"]]);
    });
  }

  test("each line may be rounded, or only the sum; nothing between them is accepted", async () => {
    const halves = Array.from({ length: 10 }, () => ({ title: "half a cent", amount: 1, quantity: 0.5 }));
    await assertAccepted(gateway, hostedWith(10, halves));
    await assertAccepted(gateway, hostedWith(5, halves));
    for (const amount of [4, 6, 9, 11]) {
      const { body } = await assertRefused(gateway, hostedWith(amount, halves), [
        ["V11230", "/payment/amount"],
      ]);
      assert.deepEqual([body.result.codes[0].expected, body.result.codes[0].given], [10, amount]);
    }
  });

  test("the exact sum is rounded half up, with adjustments beside it", async () => {
    const three = Array.from({ length: 3 }, () => ({ title: "half a cent", amount: 1, quantity: 0.5 }));
    const discount = [{ title: "off", amount: -1, adjustmentType: "Discount" }];
    for (const amount of [3, 2]) await assertAccepted(gateway, hostedWith(amount, three));
    for (const amount of [2, 1]) await assertAccepted(gateway, hostedWith(amount, three, discount));
    await assertRefused(gateway, hostedWith(1, three), [["V11230", "/payment/amount"]]);
    await assertRefused(gateway, hostedWith(3, three, discount), [["V11230", "/payment/amount"]]);
  });

  test("amounts are exact where floats are not", async () => {
    const body = hostedWith(30, [
      { title: "a", amount: 100, quantity: 0.1 },
      { title: "b", amount: 100, quantity: 0.2 },
    ]);
    await assertAccepted(gateway, body);
  });

  test("a quantity that rounds to zero is reported without the total", async () => {
    const body = hostedWith(1, [
      { title: "fine", amount: 1 },
      { title: "nothing", amount: 500, quantity: 0.0004 },
    ]);
    const place = `${PAGE}/lineItems/1/quantity`;
    await assertRefused(gateway, body, [["V11215", place]]);
    await assertRefused(gateway, withValue(body, "/payment/amount", 999), [["V11215", place]]);
  });
});

describe("spec 2.4: line items and adjustments add up to payment.amount", () => {
  const totals = async (body: Body) => {
    const answer = await assertRefused(gateway, body, [["V11230", "/payment/amount"]]);
    const [code] = answer.body.result.codes;
    return [code.expected, code.given];
  };
  const fee = (amount: number) => ({ title: "fee", amount, adjustmentType: "Shipping" });

  test("a matching amount is accepted", async () => {
    await assertAccepted(gateway, hostedWith(2600, items(3, 1000), [fee(-500), fee(100)]));
  });

  test("a mismatch returns expected and given", async () => {
    assert.deepEqual(await totals(hostedWith(2601, items(3, 1000), [fee(-500), fee(100)])), [2600, 2601]);
    assert.deepEqual(await totals(hostedWith(2999, items(3, 1000))), [3000, 2999]);
  });

  test("expected is negative when discounts exceed the items", async () => {
    assert.deepEqual(await totals(hostedWith(1, items(1), [fee(-500)])), [-499, 1]);
  });

  test("expected is an exact integer, because no line is above the maximum amount", async () => {
    const most = 99_999_999_999;
    assert.deepEqual(await totals(hostedWith(1, items(50, most))), [50 * most, 1]);
    assert.deepEqual(await totals(hostedWith(1, [{ title: "t", amount: 1, quantity: most }])), [most, 1]);
    for (const line of [
      { amount: most, quantity: 1.001 },
      { amount: 2, quantity: most },
      { amount: most, quantity: most },
    ])
      await assertRefused(gateway, hostedWith(1, [{ title: "t", ...line }], [fee(-most)]), [
        ["V11215", `${PAGE}/lineItems/0/quantity`],
      ]);
  });

  test("an empty list of line items or adjustments is the same as none", async () => {
    for (const body of [hostedWith(1, []), hostedWith(1, [], []), hostedWith(1, undefined, [])]) {
      const { hostedPaymentPage } = (await assertAccepted(gateway, body)).body;
      assert.ok(!("lineItems" in hostedPaymentPage) && !("adjustments" in hostedPaymentPage));
    }
    const { hostedPaymentPage } = (await assertAccepted(gateway, hostedWith(1, items(1), []))).body;
    assert.ok(!("adjustments" in hostedPaymentPage));
    await assertRefused(gateway, hostedWith(5, [], [fee(5)]), [["V11210", `${PAGE}/lineItems`]]);
  });

  test("without line items nothing has to add up", async () => {
    await assertAccepted(gateway, HOSTED);
  });

  test("with an invalid part the total is not reported", async () => {
    await assertRefused(gateway, hostedWith(9, [{ title: "t", amount: -1 }]), [["V11214", `${ITEM}/amount`]]);
    await assertRefused(gateway, hostedWith(0, items(1)), [["V11101", "/payment/amount"]]);
  });
});
