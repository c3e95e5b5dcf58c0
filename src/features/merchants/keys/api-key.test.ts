import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant, later } from "../../../kernel/time.ts";
import { isActive, isExpired } from "./api-key.ts";

const NOW = instant(Date.UTC(2026, 10, 16));

describe("when an API key works", () => {
  test("until the moment at which it expires, and without one for good", () => {
    assert.equal(isExpired({ expiresAt: null }, NOW), false);
    assert.equal(isExpired({ expiresAt: later(NOW, 1) }, NOW), false);
    assert.equal(isExpired({ expiresAt: NOW }, NOW), true);
  });

  test("while it is neither revoked nor expired", () => {
    assert.equal(isActive({ revokedAt: null, expiresAt: null }, NOW), true);
    assert.equal(isActive({ revokedAt: NOW, expiresAt: null }, NOW), false);
    assert.equal(isActive({ revokedAt: null, expiresAt: NOW }, NOW), false);
  });
});
