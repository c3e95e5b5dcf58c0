import assert from "node:assert/strict";
import { test } from "node:test";
import { cardTypeNamed, schemeName } from "./card-type.ts";

test("a card type has a name on the wire and one for people", () => {
  assert.equal(cardTypeNamed("amex"), "amex");
  assert.equal(cardTypeNamed("AMEX"), undefined);
  assert.equal(cardTypeNamed("toString"), undefined);
  assert.equal(schemeName("amex"), "American Express");
});
