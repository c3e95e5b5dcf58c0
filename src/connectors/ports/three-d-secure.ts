import type { Currency } from "../../kernel/money.ts";

export type AuthenticationRequest = {
  /** Our transaction's id. */
  readonly reference: string;
  readonly amount: number;
  /** On top of the amount: the payer approves the sum of both. */
  readonly surcharge: number;
  readonly currency: Currency;
  readonly cardNumber: string;
  /** A path of ours to which the challenge sends the payer back. Left out: the challenge stands in a frame of ours. */
  readonly returnTo?: string;
};

/** The bank is satisfied, is not, or wants to ask the payer on a page of its own. */
export type AuthenticationAnswer =
  | { readonly kind: "authenticated" }
  | { readonly kind: "failed" }
  | { readonly kind: "challenge"; readonly url: string };

/** Whoever authenticates payers. The result is always asked from here, never believed from a browser. */
export type ThreeDSecure = {
  readonly begin: (request: AuthenticationRequest) => Promise<AuthenticationAnswer>;
  /** What the payer answered; `open` while the challenge waits. */
  readonly resultOf: (reference: string) => Promise<"authenticated" | "failed" | "open">;
};

/** A payer who is asked by such a bank, where payers are played. */
export type ChallengedPayers = {
  /** Answers the challenge at that address. False: there is none. */
  readonly answerAt: (url: string, passed: boolean) => Promise<boolean>;
};
