import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { totpCodeAt } from "../../../tests/support/authenticator.ts";
import { instant, SECOND } from "../../kernel/time.ts";
import { newTotpSecret, totpAddress, totpStep } from "./totp.ts";

/** The secret of RFC 6238, appendix B: the ASCII digits 12345678901234567890. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => instant(seconds * SECOND);

describe("RFC 6238: one-time codes of a second factor", () => {
  test("the codes are those of the standard's own table, cut to six digits", () => {
    const table: readonly (readonly [number, string])[] = [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [1_111_111_111, "050471"],
      [1_234_567_890, "005924"],
      [2_000_000_000, "279037"],
      [20_000_000_000, "353130"],
    ];
    for (const [seconds, code] of table) {
      assert.equal(totpStep(SECRET, code, at(seconds)), Math.floor(seconds / 30));
      assert.equal(totpCodeAt(SECRET, at(seconds)), code, "the app of these tests");
    }
  });

  test("a code of one step before or after is taken, one of two steps is not", () => {
    const now = at(1_234_567_890);
    for (const steps of [-1, 0, 1]) {
      const code = totpCodeAt(SECRET, at(1_234_567_890 + steps * 30));
      assert.equal(totpStep(SECRET, code, now), Math.floor(1_234_567_890 / 30) + steps);
    }
    for (const steps of [-2, 2]) {
      const code = totpCodeAt(SECRET, at(1_234_567_890 + steps * 30));
      assert.equal(totpStep(SECRET, code, now), undefined);
    }
    assert.equal(totpStep(SECRET, "", now), undefined);
    assert.notEqual(totpStep(SECRET, "005 924", now), undefined, "spaces are how apps show them");
  });

  test("a new secret has 160 bits, and its address names issuer and account", () => {
    const secret = newTotpSecret();
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.notEqual(secret, newTotpSecret());
    assert.equal(
      totpAddress("ABC", "Tidegate", "mere@shop.example"),
      "otpauth://totp/Tidegate:mere%40shop.example?secret=ABC&issuer=Tidegate",
    );
  });
});
