import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cents } from "../../kernel/money.ts";
import type { Details } from "../payment-requests/payment-request.ts";
import { storingOf } from "./storing.ts";

describe("whether a payment stores its card", () => {
  const stores = { paymentInstrument: "create" } as NonNullable<Details["customerRequest"]>;
  const once = { frequency: "single", captureType: "auto" } as const;
  const agreement = {} as NonNullable<Details["agreement"]>;
  const storing = (details: Details, amount = 100) => storingOf({ amount: cents(amount), details });

  test("never, unless the merchant asks for it", () => {
    assert.equal(storing({}), "never");
    assert.equal(storing({ agreement, category: { ...once, frequency: "recurring" } }, 0), "never");
    assert.equal(storing({ customerRequest: {}, category: once }), "never");
  });

  test("the payer is asked about a single payment", () => {
    assert.equal(storing({ customerRequest: stores }), "asked");
    assert.equal(storing({ customerRequest: stores, category: once }), "asked");
    assert.equal(storing({ customerRequest: stores, category: once }, 1), "asked");
  });

  test("always for a verification, a recurring payment, and one with an agreement", () => {
    assert.equal(storing({ customerRequest: stores, category: once }, 0), "always");
    assert.equal(
      storing({ customerRequest: stores, category: { ...once, frequency: "recurring" } }),
      "always",
    );
    assert.equal(storing({ customerRequest: stores, category: once, agreement }), "always");
  });
});
