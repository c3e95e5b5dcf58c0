import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isInRanges, parseAddressRange } from "./address-ranges.ts";

describe("address ranges", () => {
  for (const [text, stored] of [
    ["203.0.113.7", "203.0.113.7/32"],
    [" 10.1.2.3/8 ", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["203.0.113.7/32", "203.0.113.7/32"],
    ["2001:DB8::1", "2001:db8::1/128"],
    ["2001:db8:1::/32", "2001:db8::/32"],
  ] as const) {
    test(`${text} is stored as ${stored}`, () => assert.equal(parseAddressRange(text), stored));
  }

  for (const text of [
    "",
    "shop.example",
    "10.1",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "::1/129",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
    "0x7f.1",
  ]) {
    test(`refuses ${text === "" ? "an empty text" : text}`, () =>
      assert.equal(parseAddressRange(text), undefined));
  }

  test("a range ends at its last address", () => {
    assert.equal(isInRanges("10.255.255.255", ["10.0.0.0/8"]), true);
    assert.equal(isInRanges("11.0.0.0", ["10.0.0.0/8"]), false);
    assert.equal(isInRanges("2001:db8:ffff::1", ["10.0.0.0/8", "2001:db8::/32"]), true);
    assert.equal(isInRanges("2001:db9::1", ["2001:db8::/32"]), false);
  });

  test("IPv4 over IPv6 counts as IPv4, and no text that is not an address is in a range", () => {
    assert.equal(isInRanges("::ffff:10.1.1.1", ["10.0.0.0/8"]), true);
    assert.equal(isInRanges("::1", ["0.0.0.0/0"]), false);
    assert.equal(isInRanges("unknown", ["0.0.0.0/0", "::/0"]), false);
    assert.equal(isInRanges("10.1.1.1", []), false);
  });
});
