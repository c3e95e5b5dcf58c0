import type { Cents, Currency } from "../../kernel/money.ts";

export type AuthenticationRequest = {
  /** Our transaction's id. */
  readonly reference: string;
  readonly amount: Cents;
  /** On top of the amount: the payer approves the sum of both. */
  readonly surcharge: Cents;
  readonly currency: Currency;
  readonly cardNumber: string;
  /** Our path to which the challenge sends the payer back. Absent: the challenge runs in a frame of ours. */
  readonly returnTo?: string;
};

/** The bank is satisfied, is not, or challenges the payer on a page of its own. */
export type AuthenticationAnswer =
  | { readonly kind: "authenticated" }
  | { readonly kind: "failed" }
  | { readonly kind: "challenge"; readonly url: string };

/** Authenticates payers. The result always comes from here, never from a browser. */
export type ThreeDSecure = {
  readonly begin: (request: AuthenticationRequest) => Promise<AuthenticationAnswer>;
  /** The outcome of the challenge; `open` until the payer has answered it. */
  readonly resultOf: (reference: string) => Promise<"authenticated" | "failed" | "open">;
};

/** The outcome of 3D Secure as the card schemes define it; it goes to the acquirer with the payment. */
export type AuthenticationData = {
  /** Authenticated, attempted, not authenticated, unavailable, rejected. */
  readonly status: "Y" | "A" | "N" | "U" | "R";
  readonly eci?: string;
  readonly cavv?: string;
  readonly dsTransactionId?: string;
  readonly version?: string;
};
