import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSettings, settingsProblems } from "./settings.ts";

const RIGHT = {
  apiKey: "AQEyhmfxK4zNaBZEw0m_n3Q5qf3VaY9UCJ1-XWZe9W27",
  merchantAccount: "Shop_ECOM",
  endpoint: "https://checkout-test.adyen.com/v71",
  webhookHmacKey: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
};

describe("settings of an Adyen account", () => {
  test("right ones have no problem", () => {
    assert.deepEqual(settingsProblems(RIGHT), []);
    assert.equal(readSettings({ ...RIGHT, endpoint: `${RIGHT.endpoint}/` }).endpoint, RIGHT.endpoint);
  });

  test("one line for each setting that is missing, and for each that is unknown", () => {
    assert.deepEqual(settingsProblems({}), [
      "apiKey is missing",
      "merchantAccount is missing",
      "endpoint is missing",
      "webhookHmacKey is missing",
    ]);
    assert.deepEqual(settingsProblems({ ...RIGHT, apikey: "x", live: true }), [
      '"apikey" is not a setting of adyen',
      '"live" is not a setting of adyen',
    ]);
    assert.equal(settingsProblems({ ...RIGHT, apiKey: 7 })[0], "apiKey is a text");
  });

  for (const settings of [null, undefined, "text", 7, [], [RIGHT]]) {
    test(`${JSON.stringify(settings)} is no settings`, () => {
      assert.equal(settingsProblems(settings).length, 1);
    });
  }

  const endpoints: readonly (readonly [string, boolean])[] = [
    ["https://1797a841fbb37ca7-AdyenDemo-checkout-live.adyenpayments.com/checkout/v71", true],
    ["https://checkout.example:8443", true],
    ["http://127.0.0.1:4010", true],
    ["http://localhost:4010/v71", true],
    ["http://[::1]:4010/v71", true],
    ["http://checkout-test.adyen.com/v71", false],
    ["http://127.0.0.1.example/v71", false],
    ["ftp://checkout-test.adyen.com/v71", false],
    ["checkout-test.adyen.com/v71", false],
    ["https://user:word@checkout-test.adyen.com/v71", false],
    ["https://checkout-test.adyen.com/v71?x=1", false],
    ["https://checkout-test.adyen.com/v71?", false],
    ["https://checkout-test.adyen.com/v71#x", false],
    ["https://checkout test.adyen.com", false],
    ["", false],
  ];
  for (const [endpoint, isRight] of endpoints) {
    test(`endpoint ${JSON.stringify(endpoint)} is ${isRight ? "accepted" : "refused"}`, () => {
      assert.equal(settingsProblems({ ...RIGHT, endpoint }).length, isRight ? 0 : 1);
    });
  }

  const texts: readonly (readonly [string, string, boolean])[] = [
    ["apiKey", "k", true],
    ["apiKey", "k".repeat(1024), true],
    ["apiKey", "k".repeat(1025), false],
    ["apiKey", "two words", false],
    ["apiKey", "key\r\nx-other: header", false],
    ["apiKey", "", false],
    ["merchantAccount", "m".repeat(80), true],
    ["merchantAccount", "m".repeat(81), false],
    ["merchantAccount", "", false],
    ["webhookHmacKey", "ab".repeat(16), true],
    ["webhookHmacKey", "ab".repeat(15), false],
    ["webhookHmacKey", `${"ab".repeat(16)}a`, false],
    ["webhookHmacKey", "xy".repeat(16), false],
  ];
  for (const [name, value, isRight] of texts) {
    test(`${name} of ${value.length} characters, ${JSON.stringify(value.slice(0, 12))}…: ${isRight ? "accepted" : "refused"}`, () => {
      const problems = settingsProblems({ ...RIGHT, [name]: value });
      assert.equal(problems.length, isRight ? 0 : 1);
      if (value.length > 3) assert.ok(!problems.join(" ").includes(value));
    });
  }

  test("wrong settings are refused with the setting's name", () => {
    assert.throws(() => readSettings({ ...RIGHT, endpoint: "http://shop.example" }), /endpoint/);
  });
});
