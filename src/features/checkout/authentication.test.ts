import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserOf, proceeds, recordOf } from "./authentication.ts";

describe("contract 8: what an answer of 3D Secure means", () => {
  const STATUSES = {
    Y: "authenticated",
    A: "attempted",
    N: "failed",
    U: "unavailable",
    R: "rejected",
  } as const;
  const CHOICES = [
    { attempted: "proceed", unavailable: "decline", goesOn: ["Y", "A"] },
    { attempted: "proceed", unavailable: "proceed", goesOn: ["Y", "A", "U"] },
    { attempted: "decline", unavailable: "decline", goesOn: ["Y"] },
    { attempted: "decline", unavailable: "proceed", goesOn: ["Y", "U"] },
  ] as const;

  test("each letter has its status", () => {
    for (const [letter, status] of Object.entries(STATUSES)) {
      assert.equal(recordOf({ status: letter as keyof typeof STATUSES }).status, status);
    }
  });

  for (const { attempted, unavailable, goesOn } of CHOICES) {
    test(`attempted ${attempted}, unavailable ${unavailable}: the payment goes on after ${goesOn.join(", ")} only`, () => {
      const merchant = { threeDSecureAttempted: attempted, threeDSecureUnavailable: unavailable };
      const on = (Object.keys(STATUSES) as (keyof typeof STATUSES)[]).filter((status) =>
        proceeds(merchant, { status }),
      );
      assert.deepEqual(on, goesOn);
    });
  }

  test("the record has version, ECI and DS transaction id, and not the CAVV", () => {
    const facts = { version: "2.2.0", eci: "05", dsTransactionId: "d" };
    assert.deepEqual(recordOf({ status: "Y", cavv: "secret", ...facts }).facts, facts);
  });

  test("browser data is what a script collected; without one, what the headers show", () => {
    const shown = { ipAddress: "192.0.2.1", acceptHeader: "*/*", userAgent: "a browser", language: "de" };
    const visitor = { ...shown, acceptLanguage: "de,en;q=0.5" };
    assert.deepEqual(browserOf(visitor), { ...shown, javaScriptEnabled: false });
    const collected = {
      language: "en-AU",
      colourDepth: 24,
      screenWidth: 390,
      screenHeight: 844,
      timeZoneOffset: -600,
      javaEnabled: false,
    };
    assert.deepEqual(browserOf(visitor, collected), { ...shown, ...collected, javaScriptEnabled: true });
  });
});
