import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ADDRESS_LIMITS, fieldsOf, ISO_COUNTRY_CODES, isRequired, wrongFields } from "./billing-address.ts";

const FULL = { line1: "1 Pitt St", city: "Sydney", state: "NSW", postcode: "2000", country: "AU" };

describe("a card's billing address", () => {
  test("has the parts that the payment request asks for; a state is never required", () => {
    assert.deepEqual(fieldsOf("none"), []);
    assert.deepEqual(fieldsOf("postcode"), ["postcode"]);
    assert.deepEqual(fieldsOf("full"), Object.keys(FULL));
    const required = fieldsOf("full").filter((field) => isRequired("full", field));
    assert.deepEqual(required, ["line1", "city", "postcode", "country"]);
  });

  for (const [collection, address, wrong] of [
    ["none", undefined, []],
    ["none", { postcode: "2000" }, ["postcode"]],
    ["postcode", { postcode: "2000" }, []],
    ["postcode", { postcode: " " }, ["postcode"]],
    ["postcode", { postcode: "2000", state: "NSW" }, ["state"]],
    ["postcode", undefined, ["postcode"]],
    ["full", FULL, []],
    ["full", { ...FULL, state: "" }, []],
    ["full", {}, ["line1", "city", "postcode", "country"]],
  ] as const)
    test(`${collection}: ${JSON.stringify(address)} has ${wrong.length} wrong parts`, () =>
      assert.deepEqual(wrongFields(collection, address), wrong));

  test("fits what acquirers take", () => {
    assert.deepEqual(ADDRESS_LIMITS, { line1: 100, city: 60, state: 40, postcode: 10 });
  });

  test("has one of the countries of ISO 3166-1", () => {
    assert.equal(new Set(ISO_COUNTRY_CODES).size, 249);
    assert.ok(ISO_COUNTRY_CODES.every((code) => /^[A-Z]{2}$/.test(code)));
  });
});
