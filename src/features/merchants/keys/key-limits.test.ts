import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant, later } from "../../../kernel/time.ts";
import { NO_LIMITS } from "./api-key.ts";
import { keyLimitsOf } from "./key-limits.ts";

const NOW = instant(Date.UTC(2026, 10, 16));
const soon = later(NOW, 1_000);

describe("the limits of a new API key, as a person types them", () => {
  const limits = (texts: Parameters<typeof keyLimitsOf>[0]) => keyLimitsOf(texts, NOW);
  const wrong = (texts: Parameters<typeof keyLimitsOf>[0]) => {
    const read = limits(texts);
    return "problems" in read ? Object.keys(read.problems) : [];
  };
  const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.0.${n}`).join(" ");

  test("there are none unless they are typed", () => {
    assert.deepEqual(limits({}), { limits: NO_LIMITS });
  });

  test("an end is a future time with a zone", () => {
    assert.deepEqual(limits({ expires: ` ${new Date(soon).toISOString()} ` }), {
      limits: { expiresAt: soon, addresses: [] },
    });
    for (const expires of ["", "tomorrow", "2026-11-16T00:00:00", new Date(NOW).toISOString()])
      assert.deepEqual(wrong({ expires }), ["expires"], expires);
  });

  test("addresses are up to fifty, separated by blanks or commas, each once", () => {
    const addresses = "10.0.0.0/8, 203.0.113.7\n203.0.113.7";
    assert.deepEqual(limits({ addresses }), {
      limits: { expiresAt: null, addresses: ["10.0.0.0/8", "203.0.113.7/32"] },
    });
    assert.deepEqual(wrong({ addresses: many(50) }), []);
    for (const text of ["", "10.0.0.256", "10.0.0.1 x", many(51)])
      assert.deepEqual(wrong({ addresses: text }), ["addresses"], text);
  });

  test("both can be wrong at once, and each problem says what is taken", () => {
    assert.deepEqual(limits({ expires: "x", addresses: "x" }), {
      problems: {
        expires: "must be a future ISO 8601 time with a zone, such as 2027-06-30T12:00:00Z",
        addresses: "must be 1 to 50 IP addresses or CIDR ranges, such as 203.0.113.7,10.0.0.0/8",
      },
    });
  });
});
