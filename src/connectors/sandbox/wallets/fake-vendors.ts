import { type Instant, later, MINUTE } from "../../../kernel/time.ts";
import { randomText } from "../../../platform/crypto/secrets.ts";
import { createApplePay, purposeText } from "../../apple-pay/apple-pay.ts";
import { createGooglePay } from "../../google-pay/google-pay.ts";
import type { WalletSheetInput } from "../../ports/sandbox-controls.ts";
import type { AppleSessionInput, WalletConnectors } from "../../ports/wallets.ts";
import { FAKE_GATEWAY, fakeGoogleRecipient, sealGoogleToken } from "./fake-google.ts";
import { FAKE_MERCHANT_ID } from "./fake-merchant-id.ts";
import type { SandboxKeys } from "./sandbox-keys.ts";
import type { VendorSigner } from "./wallet-simulator.ts";

/** Loaded by the first who needs it: certificates take 3 MB of memory. */
const fakeApple = () => import("./fake-apple.ts");

/** The vendors of the sandbox: real cryptography under keys of our own, and no call leaves the gateway. */
export function createFakeVendors(keys: () => Promise<SandboxKeys>, now: () => Instant): WalletConnectors {
  return {
    apple_pay: createApplePay(
      async () => (await fakeApple()).fakeAppleRecipient((await keys()).apple),
      async (input) => fakeSession(input, now()),
    ),
    google_pay: createGooglePay({ environment: "TEST", gateway: FAKE_GATEWAY }, async () =>
      fakeGoogleRecipient((await keys()).google),
    ),
  };
}

/** Signs and encrypts as the vendors do, with the keys of the sandbox. */
export function createVendorSigner(keys: () => Promise<SandboxKeys>): VendorSigner {
  return {
    google: async (message: string, { now }: WalletSheetInput) =>
      sealGoogleToken(message, (await keys()).google, now),
    apple: async (message: string, input: WalletSheetInput) =>
      (await fakeApple()).sealAppleToken(message, (await keys()).apple, purposeText(input), input.now),
  };
}

/** Has the shape of Apple's answer. The sandbox's sheet does not need it; a real one would not accept it. */
function fakeSession({ domain, displayName }: AppleSessionInput, now: Instant): object {
  return {
    epochTimestamp: now,
    expiresAt: later(now, 5 * MINUTE),
    merchantSessionIdentifier: `SANDBOX-${randomText(16)}`,
    nonce: randomText(6),
    merchantIdentifier: FAKE_MERCHANT_ID,
    domainName: domain,
    displayName,
    signature: "",
  };
}
