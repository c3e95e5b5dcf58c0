import type { ApplePay, TokenPurpose } from "../ports/wallets.ts";
import { answerWithToken } from "../wallet-tokens/token-refused.ts";
import type { AppleRecipient } from "./ec-v1.ts";
import { applicationDataOf, openAppleToken } from "./token.ts";

/** Apple Pay: verifies and opens its tokens, and requests merchant sessions. */
export function createApplePay(
  recipient: () => Promise<AppleRecipient>,
  beginSession: ApplePay["beginSession"],
): ApplePay {
  return {
    applicationDataFor: (purpose) => applicationDataOf(purposeText(purpose)),
    open: async ({ token, now, ...purpose }) => {
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
