import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { enteredOf } from "./read-card-form.ts";

describe("what a form shows again", () => {
  const savedCard = { id: "pin_1", securityCode: "123" };

  test("has name, address, chosen card and consent", () => {
    const address = { line1: "1 Quay St", postcode: "1010" };
    assert.deepEqual(enteredOf({ name: "Mere Tui", consent: "yes" }, { savedCard, address }), {
      chosen: "pin_1",
      name: "Mere Tui",
      address,
      consent: true,
    });
  });

  test("never has a card number that was typed into the wrong field", () => {
    const number = "4111 1111 1111 1111";
    const address = { line1: number, city: "Auckland" };
    const { name, address: kept } = enteredOf({ name: number }, { savedCard, address });
    assert.deepEqual([name, kept], [undefined, { city: "Auckland" }]);
  });
});
