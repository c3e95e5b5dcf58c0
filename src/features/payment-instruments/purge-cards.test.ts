import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DAY, instant } from "../../kernel/time.ts";
import { reasonOf } from "./purge-cards.ts";

describe("how long a card is kept", () => {
  const card = { expiryMonth: 2, expiryYear: 2028 };
  const at = (text: string) => instant(Date.parse(text));
  const used = at("2028-02-20T00:00:00Z");
  const kept = { expiredDays: 0, unusedDays: 730 };

  test("until its expiry month is over, leap years included, plus the days that were set", () => {
    assert.equal(reasonOf(card, used, kept, at("2028-02-29T23:59:59.999Z")), undefined);
    assert.equal(reasonOf(card, used, kept, at("2028-03-01T00:00:00Z")), "expired");
    const longer = { ...kept, expiredDays: 30 };
    assert.equal(reasonOf(card, used, longer, at("2028-03-30T23:59:59.999Z")), undefined);
    assert.equal(reasonOf(card, used, longer, at("2028-03-31T00:00:00Z")), "expired");
    const december = { expiryMonth: 12, expiryYear: 2027 };
    assert.equal(reasonOf(december, used, kept, at("2027-12-31T23:59:59Z")), undefined);
    assert.equal(reasonOf(december, used, kept, at("2028-01-01T00:00:00Z")), "expired");
  });

  test("until it was unused for the days that were set", () => {
    const valid = { expiryMonth: 12, expiryYear: 2040 };
    assert.equal(reasonOf(valid, used, kept, instant(used + 730 * DAY - 1)), undefined);
    assert.equal(reasonOf(valid, used, kept, instant(used + 730 * DAY)), "unused");
  });
});
