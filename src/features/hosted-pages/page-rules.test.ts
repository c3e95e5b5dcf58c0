import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_CENTS } from "../../kernel/money.ts";
import { hostedPageProblems } from "./page-rules.ts";

const PAGE = "/hostedPaymentPage";
type Given = { readonly amount?: number; readonly mode?: "sandbox" | "live"; readonly wrong?: string };
type Row = readonly [what: string, page: object, fields: readonly string[], given?: Given];

/** `wrong` is a field that the schema has refused. */
function problemsOf(page: object, { amount, mode = "sandbox", wrong }: Given = {}) {
  const refused = `${PAGE}${wrong}/`;
  return hostedPageProblems(page, { amount, mode }, (pointer) => !refused.startsWith(`${pointer}/`));
}

function check(rows: readonly Row[]): void {
  for (const [what, page, fields, given] of rows)
    test(`${what}: ${fields.join(", ") || "accepted"}`, () =>
      assert.deepEqual(
        problemsOf(page, given).map(({ field }) => field?.replace(PAGE, "")),
        fields,
      ));
}

describe("where a payer goes after a hosted page", () => {
  const plain = { redirectUrl: "http://shop.example/", cancelUrl: "HTTP://shop.example/" };
  check([
    ["a result on the page", { resultPage: "show" }, []],
    ["back, without an address", { resultPage: "redirect" }, ["/redirectUrl"]],
    ["back", { resultPage: "redirect", redirectUrl: "https://shop.example/" }, []],
    ["without encryption in the sandbox", plain, []],
    ["without encryption in live mode", plain, ["/redirectUrl", "/cancelUrl"], { mode: "live" }],
    ["with encryption in live mode", { redirectUrl: "https://shop.example/" }, [], { mode: "live" }],
  ]);
});

describe("the look of a hosted page", () => {
  const theme = (variables: object, font?: string) => ({ theme: { variables, font } });
  check([
    ["a colour", theme({ colorPrimary: "#0a7" }), []],
    ["CSS that loads", theme({ colorPrimary: "url(//x)" }), ["/theme/variables/colorPrimary"]],
    ["a font", theme({}, "inter"), []],
    ["a family of fonts", theme({ fontFamily: "serif" }), []],
    ["two sources of a font", theme({ fontFamily: "serif" }, "inter"), ["/theme/font"]],
    ["a logo elsewhere", { logo: "https://shop.example/logo.png" }, ["/logo"]],
  ]);

  test("a drawing that runs a script is refused with what is wrong with it, a picture without", () => {
    const drawing = (inner: string) =>
      `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`).toString("base64")}`;
    assert.deepEqual(problemsOf({ logo: drawing("<g/>") }), []);
    const [unsafe] = problemsOf({ logo: drawing("<script/>") });
    assert.equal(unsafe?.code, "hosted_payment_page_logo_svg_unsafe");
    assert.match(unsafe?.reason ?? "", /script/);
    assert.deepEqual(problemsOf({ logo: "data:image/png;base64,AAAA" }), [
      { code: "hosted_payment_page_logo_bytes_invalid", field: `${PAGE}/logo` },
    ]);
  });
});

describe("line items of a hosted page", () => {
  const item = (amount: number | undefined, quantity?: number) => ({ lineItems: [{ amount, quantity }] });
  const quantity = ["/lineItems/0/quantity"];
  check([
    ["a thousandth", item(1, 0.0005), []],
    ["less than that", item(1, 0.0004), quantity],
    ["none", item(1), []],
    ["a line of the largest payment", item(MAX_CENTS, 1), []],
    ["a larger line", item(MAX_CENTS, 1.001), quantity],
    ["an amount that the schema refused", item(undefined, MAX_CENTS + 1), []],
    ["an item that the schema refused", { lineItems: [undefined] }, []],
  ]);
});

describe("adjustments of a hosted page", () => {
  const lineItems = [{ amount: 100 }];
  const ordered = (...orders: readonly (number | undefined)[]) => ({
    lineItems,
    adjustments: orders.map((order) => ({ amount: 0, order })),
  });
  check([
    ["no order", ordered(undefined, undefined), []],
    ["an order", ordered(2, 1), []],
    ["an order on some", ordered(1, undefined), ["/adjustments/1/order"]],
    ["the same order twice", ordered(1, 2, 1), ["/adjustments/2/order"]],
    ["an order that the schema refused", ordered(1, undefined), [], { wrong: "/adjustments/1/order" }],
    [
      "an adjustment that the schema refused",
      { lineItems, adjustments: [undefined, { order: 1 }, { order: 1 }] },
      [],
    ],
    ["adjustments of no item", { adjustments: [{ amount: 1 }] }, ["/lineItems"]],
    ["adjustments of an empty list", { lineItems: [], adjustments: [{ amount: 1 }] }, ["/lineItems"]],
    ["neither", { lineItems: [], adjustments: [] }, []],
  ]);
});

describe("the total of a hosted page", () => {
  const halves = { lineItems: [1, 1, 1].map((amount) => ({ amount, quantity: 0.5 })) };
  const total = ["/payment/amount"];
  check([
    ["each line rounded", halves, [], { amount: 3 }],
    ["only the sum rounded", halves, [], { amount: 2 }],
    ["another amount", halves, total, { amount: 4 }],
    ["a payment's amount that was refused", halves, []],
    ["no items", { lineItems: [] }, [], { amount: 4 }],
    ["a title that the schema refused", halves, total, { amount: 4, wrong: "/lineItems/0/title" }],
    ["a quantity that the schema refused", halves, [], { amount: 4, wrong: "/lineItems/0/quantity" }],
    ["a line that the schema refused", { lineItems: [{ amount: 1 }, undefined] }, [], { amount: 4 }],
    ["an amount that the schema refused", { lineItems: [{ title: "Ticket" }] }, [], { amount: 4 }],
    ["an adjustment without an amount", { ...halves, adjustments: [{ title: "Post" }] }, [], { amount: 4 }],
    ["adjustments that the schema refused", halves, [], { amount: 4, wrong: "/adjustments" }],
    [
      "a quantity that is refused",
      { lineItems: [{ amount: 1, quantity: 0 }] },
      ["/lineItems/0/quantity"],
      { amount: 4 },
    ],
  ]);

  test("the problem shows both sums, without an order of summands", () => {
    const page = { lineItems: [{ amount: 300, quantity: 2 }], adjustments: [{ amount: -100 }] };
    assert.deepEqual(problemsOf(page, { amount: 600 }), [
      {
        code: "hosted_payment_page_totals_mismatch",
        field: "/payment/amount",
        totals: { expected: 500, given: 600 },
      },
    ]);
  });
});
