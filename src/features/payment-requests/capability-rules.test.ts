import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Capabilities, initialCapabilities, type Merchant } from "../merchants/merchant.ts";
import { capabilityProblems } from "./capability-rules.ts";
import type { PaymentRequest } from "./payment-request.ts";

function missing(request: object, without: keyof Capabilities): readonly (string | undefined)[] {
  const capabilities = { ...initialCapabilities("sandbox"), [without]: false };
  const given = { flow: "checkout", details: {}, ...request } as PaymentRequest;
  return capabilityProblems(given, { capabilities } as Merchant).map(({ field }) => field);
}

describe("a merchant needs the capabilities that a payment request uses", () => {
  const methods = { details: { paymentMethods: ["card", "apple_pay"] } };
  const secure = { details: { category: { authenticationType: "3d_secure" } } };
  for (const [what, request, without, fields] of [
    ["a wallet", methods, "applePay", ["/paymentMethods/1"]],
    ["cards, for wallets too", methods, "cardNotPresent", ["/paymentMethods/0", "/paymentMethods/1"]],
    ["another wallet", methods, "googlePay", []],
    ["3D Secure", secure, "threeDSecure", ["/transactionRequest/category/authenticationType"]],
    ["3D Secure without need", { details: { category: {} } }, "threeDSecure", []],
    ["PayID", { flow: "payid" }, "payId", ["/payment/instrument/payId"]],
    ["PayID without need", {}, "payId", []],
    ["cards, for PayID", { flow: "payid" }, "cardNotPresent", []],
  ] as const)
    test(`${what}: ${fields.length} problems`, () => assert.deepEqual(missing(request, without), fields));
});
