import type { AppleSessionAsk, PlayAsk, WalletVendor } from "../../connectors/wallet-vendor.ts";
import { later, MINUTE } from "../../kernel/time.ts";
import { randomText } from "../crypto/secrets.ts";
import { PLAYED_MERCHANT_ID, playedAppleRecipient, sealAppleToken } from "./played-apple.ts";
import { PLAYED_GATEWAY, playedGoogleRecipient, sealGoogleToken } from "./played-google.ts";
import type { SandboxKeys } from "./sandbox-keys.ts";
import { createWalletVendor, madeFor } from "./wallet-vendor.ts";

/** The vendors of the sandbox: real cryptography under keys of our own, and nothing ever leaves. */
export function createSandboxVendor(keys: () => Promise<SandboxKeys>, now: () => number): WalletVendor {
  return createWalletVendor({
    google: { environment: "TEST", gateway: PLAYED_GATEWAY },
    apple: { merchantId: PLAYED_MERCHANT_ID },
    recipients: async () => {
      const { google, apple } = await keys();
      return { google: playedGoogleRecipient(google), apple: playedAppleRecipient(apple) };
    },
    beginAppleSession: async (ask) => playedSession(ask, now()),
  });
}

/** What the sandbox's phone seals its messages with. */
export function sandboxSeals(keys: () => Promise<SandboxKeys>) {
  return {
    google: async (message: string, { now }: PlayAsk) => sealGoogleToken(message, (await keys()).google, now),
    apple: async (message: string, ask: PlayAsk) =>
      sealAppleToken(message, (await keys()).apple, madeFor(ask), ask.now),
  };
}

/** As Apple's answer looks. The sandbox's sheet does not need it; a real one would not take it. */
function playedSession({ domain, displayName }: AppleSessionAsk, now: number): object {
  return {
    epochTimestamp: now,
    expiresAt: later(now as never, 5 * MINUTE),
    merchantSessionIdentifier: `SANDBOX-${randomText(16)}`,
    nonce: randomText(6),
    merchantIdentifier: PLAYED_MERCHANT_ID,
    domainName: domain,
    displayName,
    signature: "",
  };
}
