import type { AcquirerFacts, RetryAdvice } from "../../kernel/acquirer-facts.ts";
import type { ApprovalName, DeclineName } from "../../kernel/codes/outcomes.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Payer } from "./payer.ts";
import type { AuthenticationData, ThreeDSecure } from "./three-d-secure.ts";

/** A card as it goes to the acquirer, for one call. Never stored, never logged. */
export type CardDetails = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly securityCode?: string;
  readonly name?: string;
  /** The number is the scheme's token of a card in a wallet, also where it was stored and is charged again. */
  readonly isNetworkToken?: boolean;
  /** A wallet's proof that the payer was authenticated for this one payment: only its first one has it. */
  readonly cryptogram?: string;
  /** The indicator that belongs to the cryptogram. */
  readonly eci?: string;
};

/** Number and expiry, for a host that wants them in every message. */
export type CardNumber = Pick<CardDetails, "number" | "expiryMonth" | "expiryYear">;

/** A card that is stored for later payments. */
export type StoredCredential = {
  /** `initial`: this payment stores the card. `subsequent`: it was stored before. */
  readonly use: "initial" | "subsequent";
  readonly purpose: "recurring" | "unscheduled";
  /** Our customer's id: the same for all payments of one customer, and no personal data. */
  readonly customerId: string;
  /** The card scheme's id of the payment that stored the card, where the acquirer returned one. */
  readonly networkTransactionId?: string;
};

export type AuthorisationRequest = {
  /** Our transaction's id. The acquirer stores the authorisation under it; inquiries and reversals use it. */
  readonly reference: string;
  /** Null for a payment without a payment request. */
  readonly paymentRequestId: string | null;
  readonly amount: Cents;
  /** On top of the amount. */
  readonly surcharge: Cents;
  readonly currency: Currency;
  /** Take the money at once, or only hold it. */
  readonly isCapturedAtOnce: boolean;
  readonly origin: "internet" | "mail" | "telephone";
  readonly initiator: "payer" | "merchant";
  readonly storedCredential?: StoredCredential;
  /** The outcome of 3D Secure, where the payer was authenticated by it. */
  readonly authentication?: AuthenticationData;
  readonly payer?: Payer;
  readonly card: CardDetails;
};

/** The payment that an operation is about. */
export type OriginalPayment = {
  /** Our transaction's id. */
  readonly reference: string;
  /** What was authorised, surcharge included. */
  readonly amount: Cents;
  readonly currency: Currency;
  readonly isCaptured: boolean;
  readonly origin: AuthorisationRequest["origin"];
  readonly facts: AcquirerFacts;
  /** Only where the acquirer `needs.cardNumber`, and while the vault still keeps it. */
  readonly card?: CardNumber;
};

/** An operation on an earlier payment. */
export type OperationRequest = {
  /** Our id of the operation. */
  readonly reference: string;
  readonly payment: OriginalPayment;
  readonly amount: Cents;
};

export type CaptureRequest = OperationRequest & {
  /** Nothing more will be captured of this authorisation: the rest of the hold is released. */
  readonly isFinal: boolean;
};

/** A reversal of a call whose outcome is not known: of the payment itself, or of one of its refunds. */
export type ReversalRequest = {
  /** The reference of the call that is reversed: a transaction's id or a refund's. */
  readonly reference: string;
  readonly payment: OriginalPayment;
  /** Any answer that the host has given to this reversal ends it, also one that came late; it is sent once more later. */
  readonly endsWithAnyAnswer?: true;
};

export type ApprovedAnswer = {
  readonly kind: "approved";
  readonly code: ApprovalName;
  /** Set where it is less than what was asked for, surcharge included: a partial approval, capture or refund. */
  readonly approvedAmount?: Cents;
  readonly facts?: AcquirerFacts;
};

export type DeclinedAnswer = {
  readonly kind: "declined";
  readonly code: DeclineName;
  readonly facts?: AcquirerFacts;
  readonly advice?: RetryAdvice;
};

/** An outcome that does not change any more. */
export type FinalAnswer = ApprovedAnswer | DeclinedAnswer;

export type AcquirerAnswer =
  | FinalAnswer
  /** The acquirer works on it and sends the outcome in a notification; of a refund also: another process waits for the answer. */
  | { readonly kind: "accepted"; readonly facts?: AcquirerFacts }
  /** The acquirer surely did not receive the call: another account may take the payment. */
  | { readonly kind: "not_received"; readonly reason: string }
  | { readonly kind: "unknown" };

export type InquiryAnswer = AcquirerAnswer | { readonly kind: "never_seen" };

/** The outcome of a call of ours, by a notification. */
export type NotifiedAnswer = {
  readonly about: "authorisation" | "capture" | "void" | "refund" | "reversal";
  /** Our reference: a transaction's id, an operation's, a refund's; for a reversal that of the reversed call. */
  readonly reference: string;
  readonly answer: FinalAnswer;
};

/**
 * What has happened to a payment that the payer's bank questions. `information_requested`: no money has moved. `opened`: the
 * bank takes the money back. `defended`: evidence was sent, or the money is back for now; the bank can still object.
 * `won` and `lost` are final.
 */
export type NotifiedDispute = {
  readonly about: "dispute";
  /** Our transaction's id. */
  readonly reference: string;
  /** The acquirer's id of the case, in all notices about it: a payment can have several. Absent: it has one at most. */
  readonly caseReference?: string;
  readonly step: "information_requested" | "opened" | "defended" | "won" | "lost";
  readonly amount: number;
  readonly currency: string;
  /** The acquirer's words. */
  readonly reason: string;
  /** Until when the acquirer takes evidence. */
  readonly respondBy?: Instant;
};

/** What a notification of the acquirer says about one of our references. */
export type NotifiedFact = NotifiedAnswer | NotifiedDispute;

export type Notification =
  | { readonly kind: "verified"; readonly facts: readonly NotifiedFact[]; readonly reply: string }
  /** The signature is wrong or the body unreadable: nothing is believed. `reason` is for the log. */
  | { readonly kind: "refused"; readonly reason: string };

/** What the connector's own journal says about one payment or refund. */
export type JournalPosition = {
  /** Our reference: a transaction's id or a refund's. */
  readonly reference: string;
  /** What stands at the host: held or taken by a payment, returned by a refund. 0 when it was declined or reversed. */
  readonly approved: Cents;
  /** Of a payment: what of it was captured. */
  readonly captured: Cents;
  /** A message that the host may have received is not answered. */
  readonly isOpen: boolean;
};

export type ConnectionTest = {
  readonly hasPassed: boolean;
  readonly milliseconds: number;
  /** One sentence for the operator. */
  readonly detail: string;
};

/**
 * An acquirer connects us to the card schemes, through one account of a merchant. Every call may throw or hang: the caller
 * treats both as `unknown` and stops waiting after `answersWithinMs`. The signal aborts when nothing waits for the answer
 * any more. Repeating a call with the same reference never moves money twice; a connector that cannot be sure answers
 * `unknown`.
 */
export type CardAcquirer = {
  readonly can: {
    /** The host can be asked for the outcome of an authorisation. Otherwise an unknown one is reversed and declined. */
    readonly inquire: boolean;
    /** A refund may be sent again under the same reference. Otherwise an unknown one is reversed and declined. */
    readonly repeatRefund: boolean;
  };
  readonly needs: {
    /** Number and expiry in every message: the gateway keeps them in the vault while one may still be sent. */
    readonly cardNumber: boolean;
  };
  /** How long the gateway waits for an answer. */
  readonly answersWithinMs: number;
  /** The longest pause before a reversal, capture or void without an answer is sent again. Absent: the job queue's own. */
  readonly repeatsWithinMs?: number;
  readonly authorise: (request: AuthorisationRequest, signal: AbortSignal) => Promise<AcquirerAnswer>;
  /** Checks a card without charging it: an authorisation of amount 0. */
  readonly verify: (request: AuthorisationRequest, signal: AbortSignal) => Promise<AcquirerAnswer>;
  /** The outcome of an authorisation; present where `can.inquire`. */
  readonly inquire?: (reference: string, signal: AbortSignal) => Promise<InquiryAnswer>;
  /**
   * After an unknown outcome: returns what the call took or holds, and makes sure that one still in flight takes nothing.
   * Safe to repeat, safe for a reference that the acquirer has never seen; because some hosts then do nothing, the gateway
   * sends it once more later. Approved: nothing is held or taken under the reference. Declined: the acquirer refuses, and
   * nothing has changed.
   */
  readonly reverse: (request: ReversalRequest, signal: AbortSignal) => Promise<AcquirerAnswer>;
  readonly capture: (request: CaptureRequest, signal: AbortSignal) => Promise<AcquirerAnswer>;
  /** Releases the hold of an approved authorisation. Declined: the acquirer refuses, and the hold stays. */
  readonly void: (request: OperationRequest, signal: AbortSignal) => Promise<AcquirerAnswer>;
  readonly refund: (request: OperationRequest, signal: AbortSignal) => Promise<AcquirerAnswer>;
  /** Authenticates payers through this account, where the acquirer can. */
  readonly threeDSecure?: ThreeDSecure;
  /** For acquirers that send outcomes later. Verifies the sender. */
  readonly notification?: (
    headers: Readonly<Record<string, string | undefined>>,
    body: string,
  ) => Promise<Notification>;
  /** For connectors with a journal: positions in the order of their references (as bytes), after the given one. */
  readonly listPositions?: (after: string, limit: number) => Promise<readonly JournalPosition[]>;
  /** For connectors with a journal: the age up to which it has every position, finished or not. */
  readonly journalKeptMs?: number;
  /** For hosts with a standing connection: opens it now. It then stays open, and opens again whenever it breaks. */
  readonly connect?: () => Promise<void>;
  /** For hosts with a standing connection: whether it is up. */
  readonly isConnected?: () => boolean;
  /** Reaches the host and signs on, without a payment. */
  readonly test: (signal: AbortSignal) => Promise<ConnectionTest>;
  /** Ends connections; calls in flight end as they would on a broken link. */
  readonly close: () => Promise<void>;
};
