import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { isRoutable, routePayment } from "./route-payment.ts";

const account = (connector: string, limits: Partial<Acquirer> = {}) =>
  ({ connector, currencies: [], cardTypes: [], ...limits }) as unknown as Acquirer;

const any = account("any");
const dollars = account("dollars", { currencies: ["NZD"] });
const visa = account("visa", { cardTypes: ["visa"] });

describe("routing: which accounts can take a payment", () => {
  const names = (acquirers: readonly Acquirer[]) => acquirers.map(({ connector }) => connector);
  const routed = (currency: "AUD" | "NZD", cardType?: string) =>
    names(routePayment([any, dollars, visa], { currency, ...(cardType !== undefined && { cardType }) }));

  test("those that take its currency and its card, in the merchant's order", () => {
    assert.deepEqual(routed("NZD", "visa"), ["any", "dollars", "visa"]);
    assert.deepEqual(routed("AUD", "visa"), ["any", "visa"]);
    assert.deepEqual(routed("NZD", "amex"), ["any", "dollars"]);
    assert.deepEqual(routed("AUD", "unknown"), ["any"]);
  });

  test("before a card is known, those that take its currency", () => {
    assert.deepEqual(routed("AUD"), ["any", "visa"]);
  });

  test("none refuses the payment", () => {
    const missing = (error: unknown) =>
      error instanceof Refusal && error.problems[0]?.code === "checkout_acquirer_missing";
    for (const acquirers of [[], [dollars]]) {
      assert.throws(() => routePayment(acquirers, { currency: "AUD" }), missing);
      assert.equal(isRoutable(acquirers, { currency: "AUD" }), false);
    }
    assert.throws(() => routePayment([visa], { currency: "AUD", cardType: "amex" }), missing);
    assert.equal(isRoutable([dollars, visa], { currency: "AUD", cardType: "visa" }), true);
  });
});
