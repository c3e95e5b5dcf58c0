import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CalendarDay } from "../../kernel/time.ts";
import {
  CAPABILITIES,
  changedAccount,
  currencyOf,
  initialCapabilities,
  limitsOf,
  type Merchant,
  rateOn,
  takesMethod,
  zoneOf,
} from "./merchant.ts";

const day = (text: string) => text as CalendarDay;
const all = initialCapabilities("sandbox");

describe("capabilities", () => {
  test("a sandbox merchant has all, a live one none", () => {
    assert.ok(CAPABILITIES.length > 4);
    for (const capability of CAPABILITIES) {
      assert.equal(all[capability], true);
      assert.equal(initialCapabilities("live")[capability], false);
    }
  });

  test("a wallet needs its own capability and that of cards", () => {
    assert.equal(takesMethod({ capabilities: all }, "apple_pay"), true);
    assert.equal(takesMethod({ capabilities: { ...all, applePay: false } }, "apple_pay"), false);
    assert.equal(takesMethod({ capabilities: { ...all, applePay: false } }, "card"), true);
    assert.equal(takesMethod({ capabilities: { ...all, cardNotPresent: false } }, "apple_pay"), false);
    assert.equal(takesMethod({ capabilities: { ...all, cardNotPresent: false } }, "card"), false);
  });
});

describe("a surcharge rate", () => {
  const rate = { percent: 1.5, fixed: 10, from: day("2026-03-02"), until: day("2026-03-04") };
  const merchant = { surcharging: { enabled: true, rates: { visa: rate, amex: { percent: 2, fixed: 0 } } } };

  test("applies from its first day to its last", () => {
    assert.equal(rateOn(merchant, "visa", day("2026-03-01")), undefined);
    assert.equal(rateOn(merchant, "visa", day("2026-03-02")), rate);
    assert.equal(rateOn(merchant, "visa", day("2026-03-04")), rate);
    assert.equal(rateOn(merchant, "visa", day("2026-03-05")), undefined);
  });

  test("applies always without days, and never to another type or while surcharging is off", () => {
    assert.deepEqual(rateOn(merchant, "amex", day("1999-01-01")), { percent: 2, fixed: 0 });
    assert.equal(rateOn(merchant, "jcb", day("2026-03-03")), undefined);
    const off = { surcharging: { ...merchant.surcharging, enabled: false } };
    assert.equal(rateOn(off, "amex", day("2026-03-03")), undefined);
  });
});

describe("a change of the account", () => {
  const merchant = {
    name: "Shop",
    country: "AU",
    currency: "AUD",
    capabilities: all,
    allowedOrigins: ["https://shop.example"],
    surcharging: { enabled: false, rates: { visa: { percent: 1, fixed: 5, from: day("2026-01-01") } } },
    threeDSecureAttempted: "proceed",
    threeDSecureUnavailable: "decline",
    cardTesting: { card: 7, bin: 9 },
  } as unknown as Merchant;

  test("of nothing changes nothing", () => assert.deepEqual(changedAccount(merchant, {}), merchant));

  test("of each field changes that field", () => {
    const change = {
      name: "New",
      country: "NZ",
      currencyCode: "NZD",
      allowedOrigins: [],
      threeDSecureAttempted: "decline",
      threeDSecureUnavailable: "proceed",
      capabilities: { payId: false },
    } as const;
    const { currencyCode, ...same } = change;
    assert.deepEqual(changedAccount(merchant, change), {
      ...merchant,
      ...same,
      currency: currencyCode,
      capabilities: { ...all, payId: false },
    });
  });

  test("of a rate keeps what it does not name; null removes a day or the rate", () => {
    const ratesAfter = (visa: object | null) =>
      changedAccount(merchant, { surcharging: { enabled: true, rates: { visa } } }).surcharging;
    assert.deepEqual(ratesAfter({ percent: 2 }), {
      enabled: true,
      rates: { visa: { percent: 2, fixed: 5, from: "2026-01-01" } },
    });
    assert.deepEqual(ratesAfter({ fixed: 6, from: null, until: "2026-02-01" }).rates, {
      visa: { percent: 1, fixed: 6, until: "2026-02-01" },
    });
    assert.deepEqual(ratesAfter(null).rates, {});
    const added = changedAccount(merchant, { surcharging: { rates: { amex: {} } } }).surcharging;
    assert.deepEqual(added, {
      enabled: false,
      rates: { ...merchant.surcharging.rates, amex: { percent: 0, fixed: 0 } },
    });
  });

  test("of a limit against card testing sets it; null restores the default", () => {
    const { cardTesting } = changedAccount(merchant, { cardTesting: { card: null, address: 3 } });
    assert.deepEqual(cardTesting, { bin: 9, address: 3 });
    assert.deepEqual(limitsOf({ cardTesting }), { address: 3, bin: 9, card: 15, merchant: 80 });
    assert.deepEqual(limitsOf({ cardTesting: {} }), { address: 45, bin: 45, card: 15, merchant: 80 });
  });
});

test("country decides zone and currency", () => {
  assert.equal(zoneOf({ country: "NZ" }), "Pacific/Auckland");
  assert.equal(currencyOf("NZ"), "NZD");
  assert.equal(currencyOf("AU"), "AUD");
});
