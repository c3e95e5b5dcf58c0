import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DOMAINS_AT_MOST, isDomainName } from "./wallet-domain.ts";

describe("spec 2.10: a fully qualified domain name", () => {
  const long = `${"a".repeat(63)}.`.repeat(3);
  const names = [
    "shop.example",
    "SHOP.Example",
    "a.b.c.d.example",
    "xn--caf-dma.example",
    "1.example",
    "my-shop.example",
    `${"a".repeat(63)}.example`,
    `${long}${"b".repeat(61)}`,
  ];
  const others = [
    "",
    "example",
    "localhost",
    "https://shop.example",
    "shop.example/pay",
    "shop.example:443",
    "shop.example.",
    ".shop.example",
    "shop..example",
    "*.shop.example",
    "-shop.example",
    "shop-.example",
    "café.example",
    "shop example.com",
    "127.0.0.1",
    "127.0x1",
    "0x7f.0x0.0x0.0x1",
    "[::1]",
    "user@shop.example",
    `${"a".repeat(64)}.example`,
    `${long}${"b".repeat(62)}`,
  ];
  for (const name of names) test(`${name.slice(0, 40)} is accepted`, () => assert.ok(isDomainName(name)));
  for (const name of others) {
    test(`${JSON.stringify(name.slice(0, 40))} is refused`, () => assert.ok(!isDomainName(name)));
  }
});

test("a merchant has up to fifty domains", () => assert.equal(DOMAINS_AT_MOST, 50));
