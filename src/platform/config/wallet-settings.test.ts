import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SettingProblem } from "./setting.ts";
import { readSettings } from "./settings.ts";

describe("contract 1: settings of wallets", () => {
  test("a wallet is set up completely, or not at all", () => {
    const google = {
      TIDEGATE_GOOGLE_PAY_GATEWAY_ID: "tidegate",
      TIDEGATE_GOOGLE_PAY_KEY_FILE: "k",
      TIDEGATE_GOOGLE_PAY_ROOT_KEYS_FILE: "r",
    };
    const apple = {
      TIDEGATE_APPLE_PAY_MERCHANT_ID: "merchant.example",
      TIDEGATE_APPLE_PAY_PROCESSING_CERT_FILE: "c",
      TIDEGATE_APPLE_PAY_PROCESSING_KEY_FILE: "k",
      TIDEGATE_APPLE_PAY_IDENTITY_CERT_FILE: "c",
      TIDEGATE_APPLE_PAY_IDENTITY_KEY_FILE: "k",
      TIDEGATE_APPLE_PAY_ASSOCIATION_FILE: "a",
    };
    assert.equal(readSettings({ ...google, ...apple }).googlePayGateway, "tidegate");
    for (const complete of [google, apple]) {
      for (const variable of Object.keys(complete)) {
        const message = problemOf({ ...complete, [variable]: "" });
        assert.match(message, new RegExp(`^${variable} is missing beside TIDEGATE_[A-Z_]+; allowed: `));
      }
    }
  });
});

function problemOf(environment: Readonly<Record<string, string>>): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingProblem, String(error));
    return error.message;
  }
  return assert.fail("it was taken");
}
