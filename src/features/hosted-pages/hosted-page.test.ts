import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hostedPageOf, totalsOf } from "./hosted-page.ts";

describe("a hosted page", () => {
  test("shows the account's name and a result, and allows one attempt, unless the merchant says otherwise", () => {
    const standard = { merchantName: "Shop", resultPage: "show", attempts: 1 };
    assert.deepEqual(hostedPageOf({ logo: "data:" }, "Shop"), standard);
    assert.deepEqual(hostedPageOf({ logo: "data:", lineItems: [], adjustments: [] }, "Shop"), standard);
    const own = { merchantName: "Stall", resultPage: "none", attempts: 3 } as const;
    assert.deepEqual(hostedPageOf({ logo: "data:", ...own }, "Shop"), own);
  });

  test("has a quantity of one where the item names none, and rounds to three decimals", () => {
    const lineItems = [
      { title: "Ticket", amount: 100 },
      { title: "Cheese", amount: 100, quantity: 0.2505 },
      { title: "Ham", amount: 100, quantity: 0.25049 },
    ];
    const quantities = hostedPageOf({ logo: "", lineItems }, "Shop").lineItems?.map((item) => item.quantity);
    assert.deepEqual(quantities, [1, 0.251, 0.25]);
  });

  test("spells the types of adjustments as the specification does", () => {
    const page = (adjustmentType: string) =>
      hostedPageOf({ logo: "", adjustments: [{ title: "GST", amount: 1, adjustmentType }] }, "Shop");
    assert.equal(page("TAX").adjustments?.[0]?.adjustmentType, "Tax");
    assert.throws(() => page("Gift"), /unknown adjustment type/);
  });
});

describe("the total of lines and adjustments", () => {
  for (const [what, lines, adjustments, roundedLines, roundedSum] of [
    ["nothing", [], [], 0n, 0n],
    ["an item without a quantity", [{ amount: 300 }], [], 300n, 300n],
    ["a discount", [{ amount: 300, quantity: 2 }], [{ amount: -100 }, { amount: 7 }], 507n, 507n],
    ["halves of a cent", [1, 1, 1].map((amount) => ({ amount, quantity: 0.5 })), [], 3n, 2n],
  ] as const)
    test(`${what}: each line rounded, or only the sum`, () =>
      assert.deepEqual(totalsOf(lines, adjustments), { roundedLines, roundedSum }));
});
