import { later, MINUTE } from "../../../kernel/time.ts";
import { randomText } from "../../../platform/crypto/secrets.ts";
import type { AppleSessionInput, WalletSheetInput, WalletVendor } from "../../ports/wallets.ts";
import { createWalletVendor, madeFor } from "../../wallet-tokens/wallet-vendor.ts";
import { FAKE_MERCHANT_ID, fakeAppleRecipient, sealAppleToken } from "./fake-apple.ts";
import { FAKE_GATEWAY, fakeGoogleRecipient, sealGoogleToken } from "./fake-google.ts";
import type { SandboxKeys } from "./sandbox-keys.ts";

/** The vendors of the sandbox: real cryptography under keys of our own, and nothing ever leaves. */
export function createSandboxVendor(keys: () => Promise<SandboxKeys>, now: () => number): WalletVendor {
  return createWalletVendor({
    google: { environment: "TEST", gateway: FAKE_GATEWAY },
    apple: { merchantId: FAKE_MERCHANT_ID },
    recipients: async () => {
      const { google, apple } = await keys();
      return { google: fakeGoogleRecipient(google), apple: fakeAppleRecipient(apple) };
    },
    beginAppleSession: async (input) => fakeSession(input, now()),
  });
}

/** What the sandbox's phone seals its messages with. */
export function sandboxWalletSigner(keys: () => Promise<SandboxKeys>) {
  return {
    google: async (message: string, { now }: WalletSheetInput) =>
      sealGoogleToken(message, (await keys()).google, now),
    apple: async (message: string, input: WalletSheetInput) =>
      sealAppleToken(message, (await keys()).apple, madeFor(input), input.now),
  };
}

/** As Apple's answer looks. The sandbox's sheet does not need it; a real one would not take it. */
function fakeSession({ domain, displayName }: AppleSessionInput, now: number): object {
  return {
    epochTimestamp: now,
    expiresAt: later(now as never, 5 * MINUTE),
    merchantSessionIdentifier: `SANDBOX-${randomText(16)}`,
    nonce: randomText(6),
    merchantIdentifier: FAKE_MERCHANT_ID,
    domainName: domain,
    displayName,
    signature: "",
  };
}
