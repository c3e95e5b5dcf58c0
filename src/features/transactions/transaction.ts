import type { AcquirerFacts } from "../../kernel/acquirer-facts.ts";
import type { AuthenticationStatus } from "../../kernel/authentication-status.ts";
import type { OutcomeName } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import type { LateApproval } from "../../kernel/late-approval.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import type { Metadata } from "../../kernel/metadata.ts";
import { type Cents, type Currency, cents } from "../../kernel/money.ts";
import type { Source } from "../../kernel/source.ts";
import type { Instant } from "../../kernel/time.ts";

export const TRANSACTION_STATUSES = ["pending", "approved", "declined"] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export type TransactionTrigger = "approve" | "decline" | "return";

/** Specification section 3, "Transaction result status". Only a direct debit can be returned after its approval. */
export const lifecycle: Lifecycle<TransactionStatus, TransactionTrigger> = {
  pending: { approve: "approved", decline: "declined" },
  approved: { return: "declined" },
  declined: {},
};

/** A verification checks a card without charging it: its amount is 0, and no other transaction's is. */
export const TRANSACTION_METHODS = ["purchase", "authorisation", "verification"] as const;
export type TransactionMethod = (typeof TRANSACTION_METHODS)[number];

export const CAPTURE_STATUSES = ["captured", "uncaptured", "voided", "expired"] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];
export type CaptureTrigger = "capture" | "void" | "expire";

/**
 * What happens to an approved transaction's money. An automatic capture leaves `uncaptured` in the moment of approval. The
 * column is null before the approval, after a return, and for a verification, which has no money.
 */
export const captureLifecycle: Lifecycle<CaptureStatus, CaptureTrigger> = {
  uncaptured: { capture: "captured", void: "voided", expire: "expired" },
  captured: {},
  voided: {},
  expired: {},
};

export type Phase =
  | "authenticating"
  | "profiling"
  | "challenged"
  | "calling"
  | "reversing"
  | "waiting"
  | "settled";
export type PhaseTrigger = "profile" | "challenge" | "call" | "accept" | "reverse" | "settle";

/**
 * How far a pending transaction has come. `profiling`: the issuer looks at the payer's browser (the method step of 3D
 * Secure). Until `calling` no money can have moved; from then on only the acquirer knows.
 * `reversing` means that the gateway has given up: even if the acquirer still approves, the money goes back. `waiting` is
 * for a bank that settles on its own schedule, or an acquirer that sends the outcome later.
 */
export const phaseLifecycle: Lifecycle<Phase, PhaseTrigger> = {
  authenticating: { profile: "profiling", challenge: "challenged", call: "calling", settle: "settled" },
  profiling: { challenge: "challenged", call: "calling", settle: "settled" },
  challenged: { call: "calling", settle: "settled" },
  calling: { accept: "waiting", reverse: "reversing", settle: "settled" },
  reversing: { settle: "settled" },
  waiting: { reverse: "reversing", settle: "settled" },
  settled: {},
};

/** The record of a payment by PayID. */
export type PaidPayId = {
  readonly email: string;
  readonly payerName?: string;
  /** The bank's own id of the transfer; a refund refers to it. */
  readonly transfer: string;
};

/** The part of a bank account that may be stored; the number is masked. */
export type MaskedAccount = { readonly accountName: string; readonly bsb?: string; readonly number: string };

export type AcquirerRecord = AcquirerFacts & { readonly connector: string };

/** What is stored about an authentication. Its cryptogram is not: only the call to the acquirer needs it. */
export type AuthenticationFacts = {
  readonly version?: string;
  readonly eci?: string;
  readonly dsTransactionId?: string;
};

export type Transaction = {
  readonly id: Id<"transaction">;
  readonly merchantId: Id<"merchant">;
  readonly paymentRequestId: Id<"paymentRequest"> | null;
  readonly reference: string;
  readonly metadata: Metadata | null;
  readonly method: TransactionMethod;
  readonly source: Source;
  readonly origin: "internet" | "mail" | "telephone";
  readonly frequency: "single" | "recurring";
  readonly captureType: "auto" | "manual";
  /** Takes a partial approval; otherwise it is reversed and declined. */
  readonly acceptsPartial: boolean;
  readonly status: TransactionStatus;
  readonly phase: Phase;
  readonly code: OutcomeName | null;
  readonly amount: Cents;
  readonly surcharge: Cents;
  readonly currency: Currency;
  /** What the acquirer approved, where that is less than the total. */
  readonly approvedAmount: Cents | null;
  readonly captureStatus: CaptureStatus | null;
  /** The merchant's own reference of the capture. */
  readonly captureReference: string | null;
  readonly captured: Cents;
  /** The merchant's fee, deducted from payouts; set by the capture. */
  readonly fee: Cents;
  /** The sum of pending and approved refunds. */
  readonly refundsHeld: Cents;
  /** The sum of approved refunds. */
  readonly refunded: Cents;
  /** What disputes hold or have taken. */
  readonly disputed: Cents;
  readonly card: MaskedCard | null;
  readonly payId: PaidPayId | null;
  readonly bankAccount: MaskedAccount | null;
  /** The stored instrument that was charged, or that the approved payment created. */
  readonly customerId: Id<"customer"> | null;
  readonly paymentInstrumentId: Id<"paymentInstrument"> | null;
  /** The instrument that an approval creates. Until then no instrument has this id; the vault may hold its number. */
  readonly storesInstrumentId: Id<"paymentInstrument"> | null;
  readonly authentication: AuthenticationStatus | null;
  /** The acquirer account that takes the payment; null for the simulator and for other rails. */
  readonly acquirerAccountId: Id<"acquirerAccount"> | null;
  /** The connector that takes a card payment, and what the acquirer said about it. */
  readonly acquirer: AcquirerRecord | null;
  readonly authenticationFacts: AuthenticationFacts | null;
  /** Only of a declined payment. */
  readonly lateApproval: LateApproval | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

type RequiredFact = "id" | "merchantId" | "reference" | "source" | "phase" | "amount" | "currency";
type OptionalFact =
  | "paymentRequestId"
  | "metadata"
  | "origin"
  | "frequency"
  | "captureType"
  | "acceptsPartial"
  | "surcharge"
  | "card"
  | "payId"
  | "bankAccount"
  | "customerId"
  | "paymentInstrumentId"
  | "storesInstrumentId"
  | "acquirerAccountId"
  | "acquirer";
export type TransactionFacts = Pick<Transaction, RequiredFact> &
  Partial<Pick<Transaction, OptionalFact>> & { readonly now: Instant };

const NONE = cents(0);

function methodOf({
  amount,
  captureType,
}: Pick<TransactionFacts, "amount" | "captureType">): TransactionMethod {
  if (amount === NONE) return "verification";
  return captureType === "manual" ? "authorisation" : "purchase";
}

/** A pending transaction: nothing is captured, nothing is refunded. */
export function newTransaction({ now, ...facts }: TransactionFacts): Transaction {
  return {
    paymentRequestId: null,
    metadata: null,
    method: methodOf(facts),
    origin: "internet",
    frequency: "single",
    captureType: "auto",
    acceptsPartial: false,
    status: "pending",
    code: null,
    surcharge: NONE,
    approvedAmount: null,
    captureStatus: null,
    captureReference: null,
    captured: NONE,
    fee: NONE,
    refundsHeld: NONE,
    refunded: NONE,
    disputed: NONE,
    card: null,
    payId: null,
    bankAccount: null,
    customerId: null,
    paymentInstrumentId: null,
    storesInstrumentId: null,
    authentication: null,
    acquirerAccountId: null,
    acquirer: null,
    authenticationFacts: null,
    lateApproval: null,
    createdAt: now,
    updatedAt: now,
    ...facts,
  };
}
