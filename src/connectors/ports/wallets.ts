import type { Instant } from "../../kernel/time.ts";
import type { Wallet } from "../../kernel/wallets.ts";

/** A card out of a wallet, for one payment. Never stored, never logged. */
export type WalletCard = {
  /** Of a device or a card; it goes to the acquirer as a card's number would. */
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly name?: string;
  /** Proves for this one payment that the payer was authenticated. Left out when the wallet only knew the number. */
  readonly cryptogram?: string;
  readonly eci?: string;
};

export type WalletPayment = {
  readonly card: WalletCard;
  /** Tells tokens apart by what the vendor has signed, so that no other way to write a token makes it a new one. */
  readonly useDigest: Uint8Array;
  /** From here on the vendor's own rules refuse the token. */
  readonly expiresAt: Instant;
  /** What the payer agreed to in the wallet, where the vendor tells. */
  readonly agreed?: { readonly amount: number; readonly currency: string };
};

/** Why a token is not taken. Whoever sends it learns no more than this. */
export type TokenProblem =
  | "unreadable"
  | "signature_invalid"
  | "expired"
  | "other_recipient"
  | "card_unusable";

export type TokenInput = {
  readonly wallet: Wallet;
  /** As the vendor's script gave it: a text of Google's, an object of Apple's. */
  readonly token: unknown;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly now: Instant;
};

export type TokenAnswer =
  | { readonly kind: "opened"; readonly payment: WalletPayment }
  | { readonly kind: "refused"; readonly trouble: TokenProblem };

/** How Google Pay is asked for a token that we can open. */
export type GoogleSetup = {
  readonly environment: "TEST" | "PRODUCTION";
  readonly gateway: string;
  /** Google's own name for who runs the gateway. */
  readonly merchantId?: string;
};

export type AppleSetup = { readonly merchantId: string };

export type AppleSessionInput = {
  /** Where Apple's script says that the session is to be had. */
  readonly validationUrl: string;
  /** The domain that the payer sees. */
  readonly domain: string;
  readonly displayName: string;
};

/** Whoever stands behind the wallets: opens what they send, and vouches for us to them. */
export type WalletVendor = {
  /** Undefined: this wallet was not set up here. */
  readonly google: GoogleSetup | undefined;
  readonly apple: AppleSetup | undefined;
  readonly open: (request: TokenInput) => Promise<TokenAnswer>;
  /** Apple's word that we may show its sheet, opaque to us. Undefined when it can't be had. */
  readonly beginAppleSession: (request: AppleSessionInput) => Promise<object | undefined>;
  /** Only in the sandbox: somebody who holds a phone. */
  readonly simulator?: WalletSimulator;
};

/** A card in a wallet that is played. */
export type FakeCard = {
  readonly id: string;
  readonly cardType: string;
  readonly last4: string;
  readonly label: string;
};

export type WalletSheetInput = {
  readonly wallet: Wallet;
  readonly card: string;
  readonly total: number;
  readonly currency: string;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly now: Instant;
};

/** Plays the vendor and the payer's device: real tokens for cards of nobody. */
export type WalletSimulator = {
  readonly cardsOf: (wallet: Wallet) => readonly FakeCard[];
  /** Undefined when there is no such card. */
  readonly issue: (
    request: WalletSheetInput,
  ) => Promise<{ readonly card: FakeCard; readonly token: string | object } | undefined>;
};
