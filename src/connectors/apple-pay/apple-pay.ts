import type { ApplePay, TokenPurpose } from "../ports/wallets.ts";
import { answerWithToken } from "../wallet-tokens/token-refused.ts";
import { applicationDataOf } from "./application-data.ts";
import type { AppleRecipient } from "./ec-v1.ts";

/** Apple Pay: verifies and opens its tokens, and requests merchant sessions. */
export function createApplePay(
  recipient: () => Promise<AppleRecipient>,
  beginSession: ApplePay["beginSession"],
): ApplePay {
  return {
    applicationDataFor: (purpose) => applicationDataOf(purposeText(purpose)),
    open: async ({ token, now, ...purpose }) => {
      // Only now: what reads signatures takes 3 MB of memory, and many gateways never see a token.
      const { openAppleToken } = await import("./token.ts");
      const keys = await recipient();
      return answerWithToken(() => openAppleToken(token, keys, purposeText(purpose), now));
    },
    beginSession,
  };
}

/** The payment that a token is tied to, as Apple signs it. */
export function purposeText({ merchantId, paymentRequestId }: TokenPurpose): string {
  return `${merchantId}|${paymentRequestId}`;
}
