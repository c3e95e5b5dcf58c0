import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant } from "../../kernel/time.ts";
import { problemsOfPay, typedExpiryProblems } from "./card-rules.ts";

/** The last moment of June in UTC; in Sydney it is July. */
const NOW = instant(Date.UTC(2026, 6, 1) - 1);
const card = { number: "4111111111111111", expiryMonth: 6, expiryYear: 2026, securityCode: "123" };
const savedCard = { id: "pi_1", securityCode: "123" };
const wallet = { token: "opaque" };

describe("what a payment by a payer holds", () => {
  for (const [what, input, fields] of [
    ["a typed card, in the last moment of its month", { card }, []],
    ["a typed card of last month", { card: { ...card, expiryMonth: 5 } }, ["/card/expiryMonth"]],
    ["a typed card of last year", { card: { ...card, expiryYear: 2025 } }, ["/card/expiryYear"]],
    ["a typed card with a wrong digit", { card: { ...card, number: "4111111111111112" } }, ["/card/number"]],
    ["a field that the schema refused, once", { card: { ...card, number: "x" } }, ["/card/number"]],
    ["a month that the schema refused, once", { card: { ...card, expiryMonth: 13 } }, ["/card/expiryMonth"]],
    ["a missing code, once", { card: { ...card, securityCode: undefined } }, ["/card/securityCode"]],
    ["a saved card", { savedCard }, []],
    ["no card", {}, ["/card"]],
    ["a saved card that the schema refused", { savedCard: { id: "pi_1" } }, ["/savedCard/securityCode"]],
    ["two cards", { card, savedCard }, ["/savedCard"]],
    ["a card and a token", { card, wallet }, ["/wallet"]],
    ["a wallet's token", { method: "google_pay", wallet }, []],
    ["a wallet without a token", { method: "google_pay" }, ["/wallet"]],
    ["a wallet and a card", { method: "google_pay", wallet, card }, ["/card"]],
    ["a wallet and a saved card", { method: "google_pay", wallet, savedCard }, ["/savedCard"]],
    ["an unknown method", { method: "cash" }, ["/method"]],
  ] as const)
    test(`${what}: ${fields.join() || "accepted"}`, () => {
      const paid = JSON.parse(JSON.stringify({ method: "card", total: 3000, consent: false, ...input }));
      assert.deepEqual(
        problemsOfPay(paid, NOW).map(({ field }) => field),
        fields,
      );
    });

  test("has the expiry checked alone where the schema has accepted it", () => {
    assert.equal(typedExpiryProblems({ card: { ...card, expiryMonth: 5 } }, NOW).length, 1);
    assert.deepEqual(typedExpiryProblems({ savedCard }, NOW), []);
  });

  test("must be an object", () => {
    assert.deepEqual(
      problemsOfPay("card", NOW).map(({ code }) => code),
      ["body_object_invalid"],
    );
  });
});
