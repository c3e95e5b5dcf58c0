import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDestroy, isHello, readBankDone, readConnect, readFrameMessage } from "./messages.ts";
import { publicPartOf } from "./one-time-token.ts";

const UNKNOWN: readonly unknown[] = [
  undefined,
  null,
  1,
  "hello",
  [],
  {},
  { tidegate: "other" },
  { type: "x" },
];

describe("checkout protocol: each side ignores unknown messages", () => {
  test("ignores unknown messages", () => {
    for (const data of UNKNOWN) {
      assert.equal(isHello(data), false);
      assert.equal(readConnect(data), undefined);
      assert.equal(readFrameMessage(data), undefined);
      assert.equal(isDestroy(data), false);
      assert.equal(readBankDone(data), undefined);
    }
  });

  test("reads its own messages", () => {
    assert.ok(isHello({ tidegate: "hello", version: "1.0.0" }));
    assert.ok(isDestroy({ type: "destroy" }));
    assert.deepEqual(readBankDone({ tidegate: "method-done" }), { step: "method", cres: undefined });
    assert.deepEqual(readBankDone({ tidegate: "challenge-done", cres: "e30" }), {
      step: "challenge",
      cres: "e30",
    });
    assert.deepEqual(readBankDone({ tidegate: "challenge-done", cres: 1 }), {
      step: "challenge",
      cres: undefined,
    });
    const connect = { tidegate: "connect", version: "1.0.0", token: "tok", ui: { theme: "dark" } };
    assert.deepEqual(readConnect(connect), connect);
    assert.deepEqual(readConnect({ ...connect, ui: "none" })?.ui, {});
  });

  test("accepts a height from 0 to 20,000 pixels", () => {
    assert.deepEqual(readFrameMessage({ type: "height", height: 301.2 }), { type: "height", height: 302 });
    for (const height of [-1, 20_001, Number.NaN, Number.POSITIVE_INFINITY, "300"]) {
      assert.equal(readFrameMessage({ type: "height", height }), undefined);
    }
  });

  test("accepts an event only with a known name and a result", () => {
    const payload = { result: { status: "ok" } };
    assert.ok(readFrameMessage({ type: "event", name: "initialise", payload }));
    assert.equal(readFrameMessage({ type: "event", name: "toString", payload }), undefined);
    assert.ok(readFrameMessage({ type: "withheld", wallets: "Apple Pay" }));
    assert.equal(readFrameMessage({ type: "withheld", wallets: ["Apple Pay"] }), undefined);
    assert.equal(readFrameMessage({ type: "event", name: "process", payload: { result: {} } }), undefined);
  });

  test("a token's public part identifies the merchant and what the frame is for; anything else has no public part", () => {
    const hint = `${"a1".repeat(14)}z`;
    const secret = `${"Ab_-".repeat(10)}xyz`;
    assert.deepEqual(publicPartOf(`tok_${hint}_${secret}`), { merchantHint: hint, mark: "" });
    assert.deepEqual(publicPartOf(`tok_${hint}w_${secret}`), { merchantHint: hint, mark: "w" });
    const ofPayId = `tok_${hint}p_${secret.slice(0, 32)}`;
    assert.deepEqual(publicPartOf(ofPayId), { merchantHint: hint, mark: "p" });
    for (const token of [
      "",
      hint,
      `tok_${hint}_${secret}x`,
      `tok_${hint}p_${secret.slice(0, 31)}`,
      `tok_${hint}/_${secret}`,
      `tok_${hint}ww_${secret}`,
      ` tok_${hint}_${secret}`,
    ]) {
      assert.equal(publicPartOf(token), undefined);
    }
  });
});
