import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addressProblems, payerAddress } from "./billing-address.ts";

describe("the billing address of a payment", () => {
  const postcode = { details: { collectAddress: "postcode" } } as const;
  const fields = (...input: Parameters<typeof addressProblems>) =>
    addressProblems(...input).map(({ code, field }) => `${code} ${field}`);
  const wrong = (field: string) => `checkout_address_invalid /address/${field}`;

  test("has what the request asks for, and nothing else", () => {
    assert.deepEqual(fields(postcode, { method: "card", address: { postcode: "2000" } }), []);
    assert.deepEqual(fields(postcode, { method: "card" }), [wrong("postcode")]);
    assert.deepEqual(fields(postcode, { method: "card", address: { city: "Sydney" } }), [
      wrong("city"),
      wrong("postcode"),
    ]);
  });

  test("is neither asked for nor taken by default, nor of a wallet's payer", () => {
    assert.deepEqual(fields({ details: {} }, { method: "card" }), []);
    assert.deepEqual(fields({ details: {} }, { method: "card", address: { city: "Sydney" } }), [
      wrong("city"),
    ]);
    assert.deepEqual(fields(postcode, { method: "apple_pay" }), []);
  });

  test("reaches the acquirer without blanks, and not at all where the payer entered none", () => {
    const whole = { line1: " 1 George St ", city: "Sydney", state: "NSW", postcode: "2000", country: "AU" };
    assert.deepEqual(payerAddress({ address: whole }), {
      lines: ["1 George St"],
      city: "Sydney",
      state: "NSW",
      postcode: "2000",
      country: "AU",
    });
    assert.deepEqual(payerAddress({ address: { postcode: "2000", city: " " } }), {
      lines: [],
      postcode: "2000",
    });
    assert.deepEqual(payerAddress({ address: { line1: "1 George St" } }), { lines: ["1 George St"] });
    assert.deepEqual(payerAddress({ address: { line1: "1 George St", city: "Sydney" } }), {
      lines: ["1 George St"],
      city: "Sydney",
    });
    assert.equal(payerAddress({ address: { line1: " " } }), undefined);
    assert.equal(payerAddress({}), undefined);
  });
});
