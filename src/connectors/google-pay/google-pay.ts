import type { GooglePay, GooglePaySetup } from "../ports/wallets.ts";
import { answerWithToken } from "../wallet-tokens/token-refused.ts";
import type { GoogleRecipient } from "./ecv2.ts";
import { openGoogleToken } from "./token.ts";

/** Google Pay: verifies and opens its tokens. It makes no call to Google. */
export function createGooglePay(setup: GooglePaySetup, recipient: () => Promise<GoogleRecipient>): GooglePay {
  return {
    setup,
    open: async ({ token, merchantId, now }) => {
      const keys = await recipient();
      return answerWithToken(() => openGoogleToken(token, keys, merchantId, now));
    },
  };
}
