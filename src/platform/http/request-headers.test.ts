import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, test } from "node:test";
import { hasOneHost, idempotencyKeyOf, requestIdOf } from "./request-headers.ts";

const message = (rawHeaders: string[], httpVersion = "1.1") =>
  ({ rawHeaders, httpVersion, headers: {} }) as unknown as IncomingMessage;

const WRONG = { problems: [{ code: "header_idempotency_key_invalid" }] };

describe("contract 2: headers of a request", () => {
  test("an idempotency key is 1 to 255 visible ASCII characters under either name", () => {
    assert.equal(idempotencyKeyOf({}).key, undefined);
    assert.deepEqual(idempotencyKeyOf({}).problems, []);
    assert.equal(idempotencyKeyOf({ "x-idempotency-key": "a" }).key, "a");
    assert.equal(idempotencyKeyOf({ "idempotency-key": "!~" }).key, "!~");
    assert.equal(idempotencyKeyOf({ "x-idempotency-key": "a", "idempotency-key": "a" }).key, "a");
    assert.equal(idempotencyKeyOf({ "x-idempotency-key": "a".repeat(255) }).key?.length, 255);
    for (const wrong of ["", " ", "a b", "a\u007f", "\u00e9", "a".repeat(256)]) {
      assert.deepEqual(idempotencyKeyOf({ "x-idempotency-key": wrong }), WRONG, JSON.stringify(wrong));
    }
    assert.deepEqual(idempotencyKeyOf({ "x-idempotency-key": "a", "idempotency-key": "b" }), WRONG);
    assert.deepEqual(idempotencyKeyOf({ "x-idempotency-key": "a", "idempotency-key": "" }), WRONG);
  });

  test("an idempotency key that may be a card number is known by its hash", () => {
    const keyOf = (key: string) => idempotencyKeyOf({ "x-idempotency-key": key }).key ?? "";
    const hashed = keyOf("order-4111111111111111");
    assert.match(hashed, /^sha256:[0-9a-f]{64}$/);
    assert.equal(keyOf("order-4111111111111111"), hashed);
    assert.notEqual(keyOf("other-4111111111111111"), hashed);
    assert.equal(keyOf("order-4111111111111112"), "order-4111111111111112");
  });

  test("a request id is kept when it is 1 to 64 visible characters", () => {
    const idOf = (own: string | string[] | undefined) =>
      requestIdOf({ headers: { "x-request-id": own } } as unknown as IncomingMessage);
    assert.equal(idOf("x".repeat(64)), "x".repeat(64));
    for (const wrong of [undefined, "", "x".repeat(65), "a b", "a\n", ["a"]])
      assert.match(idOf(wrong), /^[0-9a-f-]{36}$/);
  });

  test("one Host, however it is written; none only in the old version of HTTP", () => {
    assert.equal(hasOneHost(message(["Host", "a"])), true);
    assert.equal(hasOneHost(message(["X-Host", "a", "hOsT", "b"])), true);
    assert.equal(hasOneHost(message(["Host", "a", "HOST", "a"])), false);
    assert.equal(hasOneHost(message(["X", "host"])), false);
    assert.equal(hasOneHost(message([], "1.0")), true);
    assert.equal(hasOneHost(message(["Host", "a", "Host", "b"], "1.0")), false);
  });
});
