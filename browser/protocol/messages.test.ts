import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isChallengeDone, isDestroy, isHello, readConnect, readFrameMessage } from "./messages.ts";
import { openPartOf } from "./one-time-token.ts";

const STRANGE: readonly unknown[] = [
  undefined,
  null,
  1,
  "hello",
  [],
  {},
  { tidegate: "other" },
  { type: "x" },
];

describe("checkout protocol: each side ignores what it does not know", () => {
  test("strange messages are none of ours", () => {
    for (const data of STRANGE) {
      assert.equal(isHello(data), false);
      assert.equal(readConnect(data), undefined);
      assert.equal(readFrameMessage(data), undefined);
      assert.equal(isDestroy(data), false);
      assert.equal(isChallengeDone(data), false);
    }
  });

  test("messages of ours are read", () => {
    assert.ok(isHello({ tidegate: "hello", version: "1.0.0" }));
    assert.ok(isDestroy({ type: "destroy" }));
    assert.ok(isChallengeDone({ tidegate: "challenge-done" }));
    const connect = { tidegate: "connect", version: "1.0.0", token: "tok", ui: { theme: "dark" } };
    assert.deepEqual(readConnect(connect), connect);
    assert.deepEqual(readConnect({ ...connect, ui: "none" })?.ui, {});
  });

  test("a height is a number of pixels within reason", () => {
    assert.deepEqual(readFrameMessage({ type: "height", height: 301.2 }), { type: "height", height: 302 });
    for (const height of [-1, 20_001, Number.NaN, Number.POSITIVE_INFINITY, "300"]) {
      assert.equal(readFrameMessage({ type: "height", height }), undefined);
    }
  });

  test("an event has a known name and a result", () => {
    const payload = { result: { status: "ok" } };
    assert.ok(readFrameMessage({ type: "event", name: "initialise", payload }));
    assert.equal(readFrameMessage({ type: "event", name: "toString", payload }), undefined);
    assert.ok(readFrameMessage({ type: "withheld", wallets: "Apple Pay" }));
    assert.equal(readFrameMessage({ type: "withheld", wallets: ["Apple Pay"] }), undefined);
    assert.equal(readFrameMessage({ type: "event", name: "process", payload: { result: {} } }), undefined);
  });

  test("a token's public part names the merchant and says whether a wallet is asked for; what is no token has none", () => {
    const hint = `${"a1".repeat(14)}z`;
    const secret = `${"Ab_-".repeat(10)}xyz`;
    assert.deepEqual(openPartOf(`tok_${hint}_${secret}`), { merchantHint: hint, wallets: false });
    assert.deepEqual(openPartOf(`tok_${hint}w_${secret}`), { merchantHint: hint, wallets: true });
    for (const token of [
      "",
      hint,
      `tok_${hint}_${secret}x`,
      `tok_${hint}/_${secret}`,
      `tok_${hint}ww_${secret}`,
      ` tok_${hint}_${secret}`,
    ]) {
      assert.equal(openPartOf(token), undefined);
    }
  });
});
