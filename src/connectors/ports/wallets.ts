import type { Cents } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";

/** A card from a wallet, for one payment. Never stored, never logged. */
export type WalletCard = {
  /** The number of a device or a card; it goes to the acquirer as a card's number. */
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly name?: string;
  /** Proves for this one payment that the payer was authenticated. Absent when the wallet knew the number only. */
  readonly cryptogram?: string;
  readonly eci?: string;
};

export type WalletPayment = {
  readonly card: WalletCard;
  /** Identifies the token by what the vendor has signed: the same token in another encoding is the same token. */
  readonly useDigest: Uint8Array;
  /** From here on the vendor's own rules refuse the token. */
  readonly expiresAt: Instant;
  /** What the payer agreed to in the wallet, where the vendor includes it. */
  readonly agreed?: { readonly amount: Cents; readonly currency: string };
};

/** Why a token is refused. The sender learns no more than this. */
export type TokenProblem =
  | "unreadable"
  | "signature_invalid"
  | "expired"
  | "other_recipient"
  | "card_unusable";

/** The payment that a token is for. */
export type TokenPurpose = { readonly merchantId: string; readonly paymentRequestId: string };

export type TokenInput = TokenPurpose & {
  /** As the vendor's script returned it: a text from Google, an object from Apple. */
  readonly token: unknown;
  readonly now: Instant;
};

export type TokenAnswer =
  | { readonly kind: "opened"; readonly payment: WalletPayment }
  | { readonly kind: "refused"; readonly problem: TokenProblem };

type OpenToken = (input: TokenInput) => Promise<TokenAnswer>;

/** What Google's script needs to make a token that we can open. */
export type GooglePaySetup = {
  readonly environment: "TEST" | "PRODUCTION";
  readonly gateway: string;
  /** Google's id of the gateway's operator. */
  readonly merchantId?: string;
};

export type GooglePay = { readonly setup: GooglePaySetup; readonly open: OpenToken };

export type AppleSessionInput = {
  /** The URL of the session, from Apple's script. */
  readonly validationUrl: string;
  /** The domain that the payer sees. */
  readonly domain: string;
  readonly displayName: string;
};

export type ApplePay = {
  /**
   * Ties a token to one payment request: the sheet opens with this, and Apple signs its digest. A token that leaked, or
   * that another merchant of this gateway received, pays for nothing else.
   */
  readonly applicationDataFor: (purpose: TokenPurpose) => string;
  readonly open: OpenToken;
  /** Apple's permission to show its sheet, opaque to us. Undefined when Apple does not grant it. */
  readonly beginSession: (input: AppleSessionInput) => Promise<object | undefined>;
};

/** The connector of each wallet. */
export type WalletConnectors = {
  readonly apple_pay: ApplePay;
  readonly google_pay: GooglePay;
};
