import type { ApprovalName, BankAnswer } from "../../kernel/codes/outcomes.ts";
import type { Cents, Currency } from "../../kernel/money.ts";

/** A card as it goes to the acquirer, for one call. Never stored, never logged. */
export type CardDetails = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode?: string;
  readonly name?: string;
  /** A wallet's proof that the payer was authenticated for this one payment, with its indicator. */
  readonly cryptogram?: string;
  readonly eci?: string;
};

export type AuthorisationRequest = {
  /** Our transaction's id. The acquirer stores the authorisation under it; inquiries and reversals use it. */
  readonly reference: string;
  /** What the payment is for: the payment request's id, where there is one. */
  readonly order: string | null;
  readonly amount: Cents;
  /** On top of the amount. */
  readonly surcharge: Cents;
  readonly currency: Currency;
  /** Take the money at once, or only hold it. */
  readonly capture: boolean;
  readonly authenticated: boolean;
  readonly card: CardDetails;
};

/** An operation on an earlier authorisation. Repeating it with the same reference moves no money twice. */
export type OperationRequest = {
  readonly reference: string;
  readonly transaction: string;
  readonly amount: Cents;
};

export type AcquirerAnswer =
  | Exclude<BankAnswer, { kind: "approved" }>
  | {
      readonly kind: "approved";
      readonly code: ApprovalName;
      /** Set where it is less than amount and surcharge together: a partial approval. */
      readonly approvedAmount?: Cents;
    };

export type InquiryAnswer = AcquirerAnswer | { readonly kind: "never_seen" };

/**
 * The acquirer connects us to the card schemes. Every call may throw or hang: the caller treats both as `unknown` and has
 * a deadline of its own. A call that surely did not arrive is answered `declined` with `downstream_error`.
 */
export type CardAcquirer = {
  readonly authorise: (request: AuthorisationRequest) => Promise<AcquirerAnswer>;
  /** The outcome of an authorisation. */
  readonly inquire: (reference: string) => Promise<InquiryAnswer>;
  /**
   * Returns what an authorisation took or holds, and makes sure that one still in flight takes nothing. Safe to repeat,
   * safe for a reference that the acquirer has never seen; because some hosts then do nothing, the gateway sends it once more
   * later. Approved: nothing is held or taken under the reference.
   * Declined: the acquirer refuses, for instance because the authorisation was captured, and nothing has changed.
   */
  readonly reverse: (reference: string) => Promise<AcquirerAnswer>;
  readonly capture: (request: OperationRequest) => Promise<AcquirerAnswer>;
  readonly refund: (request: OperationRequest) => Promise<AcquirerAnswer>;
};
