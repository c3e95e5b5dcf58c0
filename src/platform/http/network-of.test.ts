import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "./network-of.ts";

test("an IPv6 network of 64 bits is one place, as is one IPv4 address, however it is written", () => {
  assert.equal(networkOf("2001:db8::1"), networkOf("2001:db8:0:0:ffff::2"));
  assert.notEqual(networkOf("2001:db8::1"), networkOf("2001:db8:0:1::1"));
  assert.equal(networkOf("::ffff:192.0.2.7"), networkOf("192.0.2.7"));
  assert.notEqual(networkOf("192.0.2.7"), networkOf("192.0.2.8"));
});
