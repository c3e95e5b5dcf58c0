import type { AppleRecipient } from "../apple-pay/ec-v1.ts";
import { openAppleToken } from "../apple-pay/token.ts";
import type { GoogleRecipient } from "../google-pay/ecv2.ts";
import { openGoogleToken } from "../google-pay/token.ts";
import type {
  AppleSessionInput,
  AppleSetup,
  GoogleSetup,
  TokenAnswer,
  TokenInput,
  WalletPayment,
  WalletVendor,
} from "../ports/wallets.ts";
import { refuseToken, TokenRefused } from "./token-refused.ts";

/** What tokens are opened with. Left out: that wallet was not set up. */
export type Recipients = {
  readonly google: GoogleRecipient | undefined;
  readonly apple: AppleRecipient | undefined;
};

export type VendorParts = {
  readonly google: GoogleSetup | undefined;
  readonly apple: AppleSetup | undefined;
  readonly recipients: () => Promise<Recipients>;
  readonly beginAppleSession: (input: AppleSessionInput) => Promise<object | undefined>;
};

export function createWalletVendor({ recipients, ...parts }: VendorParts): WalletVendor {
  return {
    ...parts,
    open: async (input) => {
      const at = await recipients();
      return answerOf(() => openToken(input, at));
    },
  };
}

function openToken(input: TokenInput, { google, apple }: Recipients): WalletPayment {
  const { wallet, token, merchantId, now } = input;
  if (wallet === "google_pay") {
    return google === undefined
      ? refuseToken("other_recipient")
      : openGoogleToken(token, google, merchantId, now);
  }
  return apple === undefined
    ? refuseToken("other_recipient")
    : openAppleToken(token, apple, madeFor(input), now);
}

/** What an Apple Pay token is tied to. */
export function madeFor({
  merchantId,
  paymentRequestId,
}: Pick<TokenInput, "merchantId" | "paymentRequestId">): string {
  return `${merchantId}|${paymentRequestId}`;
}

function answerOf(open: () => WalletPayment): TokenAnswer {
  try {
    return { kind: "opened", payment: open() };
  } catch (error) {
    if (error instanceof TokenRefused) return { kind: "refused", trouble: error.trouble };
    throw error;
  }
}
