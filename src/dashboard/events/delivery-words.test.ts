import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answerWords } from "./delivery-words.ts";

describe("what an endpoint answered, in words", () => {
  test("a known reason is put into plain words, an unknown one stays as it is", () => {
    const words = (httpStatus: number | null, error: string | null, latencyMs: number | null = 12) =>
      answerWords({ httpStatus, latencyMs, error });
    assert.equal(words(200, null), "HTTP 200, 12 ms");
    assert.equal(words(503, "http_error", 1_204), "HTTP 503, 1,204 ms");
    assert.equal(words(302, "redirect_not_followed"), "HTTP 302, redirects are not followed, 12 ms");
    assert.equal(words(null, "connection_refused"), "nothing listens there, 12 ms");
    assert.equal(words(null, "subscription_disabled", null), "the subscription was disabled");
    assert.equal(words(null, "of_tomorrow", null), "of_tomorrow");
    assert.equal(words(null, null, null), "");
  });
});
