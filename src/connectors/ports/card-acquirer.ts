import type { BankAnswer } from "../../kernel/codes/outcomes.ts";
import type { Currency } from "../../kernel/money.ts";

/** A card as it goes to the acquirer, for one call. Never stored, never logged. */
export type CardDetails = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode?: string;
  readonly name?: string;
  /** A wallet's proof that the payer was authenticated, for this one payment, and the indicator that goes with it. */
  readonly cryptogram?: string;
  readonly eci?: string;
};

export type AuthorisationRequest = {
  /** Our transaction's id. The acquirer books under it, and is asked about it later. */
  readonly reference: string;
  /** What the payment is for: the payment request's id, where there is one. */
  readonly order: string | null;
  readonly amount: number;
  /** On top of the amount. */
  readonly surcharge: number;
  readonly currency: Currency;
  /** Take the money at once, or only hold it. */
  readonly capture: boolean;
  readonly authenticated: boolean;
  readonly card: CardDetails;
};

/** A movement on an earlier authorisation. Repeating it with the same reference moves nothing twice. */
export type OperationRequest = {
  readonly reference: string;
  readonly transaction: string;
  readonly amount: number;
};

export type AcquirerAnswer = BankAnswer;

export type InquiryAnswer = AcquirerAnswer | { readonly kind: "never_seen" };

/**
 * Whoever talks to the card schemes for us. Every call may throw or hang: the caller treats both as `unknown` and has a
 * deadline of its own. A call that surely did not arrive is answered `declined` with D10009.
 */
export type CardAcquirer = {
  readonly authorise: (request: AuthorisationRequest) => Promise<AcquirerAnswer>;
  /** What became of an authorisation. */
  readonly inquire: (reference: string) => Promise<InquiryAnswer>;
  /**
   * Gives back whatever an authorisation took or holds, and makes sure that one which is still under way takes nothing.
   * Safe to repeat, safe for a reference that was never seen. Throws when it is not sure.
   */
  readonly reverse: (reference: string) => Promise<void>;
  readonly capture: (request: OperationRequest) => Promise<AcquirerAnswer>;
  readonly refund: (request: OperationRequest) => Promise<AcquirerAnswer>;
};
