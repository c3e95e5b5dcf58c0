import type { OutcomeName } from "../../kernel/codes/outcomes.ts";
import { type Fees, feeOf } from "../../kernel/fees.ts";
import type { Id } from "../../kernel/ids.ts";
import { type Lifecycle, nextState } from "../../kernel/lifecycle.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Source } from "../../kernel/source.ts";
import { changeTime, DAY, type Instant, later } from "../../kernel/time.ts";
import type { Wallet } from "../../kernel/wallets.ts";

export const TRANSACTION_STATUSES = ["pending", "approved", "declined"] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export type TransactionTrigger = "approve" | "decline" | "return";

/** Specification section 3, "Transaction result status". Only a direct debit can be returned after its approval. */
export const lifecycle: Lifecycle<TransactionStatus, TransactionTrigger> = {
  pending: { approve: "approved", decline: "declined" },
  approved: { return: "declined" },
  declined: {},
};

export const CAPTURE_STATUSES = ["captured", "uncaptured", "voided", "expired"] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** What may be known of a card for good. */
export type MaskedCard = {
  readonly name: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cardType: string;
  /** Where the card came out of a wallet: its number is then a device's. */
  readonly wallet?: Wallet;
};

/** What a payment by PayID leaves behind. */
export type PaidPayId = {
  readonly email: string;
  readonly payerName?: string;
  /** The bank's own id of the transfer; a refund goes back the same way. */
  readonly transfer: string;
};
/** What may be known of a bank account for good; the number is masked. */
export type MaskedAccount = { readonly accountName: string; readonly bsb?: string; readonly number: string };

export type AuthenticationStatus = "authenticated" | "failed" | "abandoned";

/**
 * How far an attempt has come. Until `calling` no money can have moved; from then on only the acquirer knows. `reversing`
 * is given up: whatever the acquirer still answers, the money goes back. `waiting` is for a bank that settles by a rail of
 * its own.
 */
export type Phase = "authenticating" | "challenged" | "calling" | "reversing" | "waiting" | "settled";

export type Transaction = {
  readonly id: Id<"transaction">;
  readonly merchantId: Id<"merchant">;
  readonly paymentRequestId: Id<"paymentRequest"> | null;
  readonly reference: string;
  readonly method: "purchase" | "authorisation";
  readonly source: Source;
  readonly origin: "internet" | "mail" | "telephone";
  readonly frequency: "single" | "recurring";
  readonly captureType: "auto" | "manual";
  readonly status: TransactionStatus;
  readonly phase: Phase;
  readonly code: OutcomeName | null;
  readonly amount: number;
  readonly surcharge: number;
  readonly currency: Currency;
  readonly captureStatus: CaptureStatus | null;
  readonly captured: number;
  /** What the merchant pays for it; payouts are less by that. Known from the moment it is captured. */
  readonly fee: number;
  readonly refundsHeld: number;
  readonly refunded: number;
  readonly card: MaskedCard | null;
  readonly payId: PaidPayId | null;
  readonly bankAccount: MaskedAccount | null;
  /** The stored instrument that was charged, or that an approved payment has made. */
  readonly customerId: Id<"customer"> | null;
  readonly paymentInstrumentId: Id<"paymentInstrument"> | null;
  /** The instrument that an approval makes. Until then it is an id, and a number in the vault, of nobody. */
  readonly storesInstrumentId: Id<"paymentInstrument"> | null;
  readonly authentication: AuthenticationStatus | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

const AUTHORISATION_LIFE = 7 * DAY;

/** When an authorisation that nobody has captured is given up. */
export function authorisationEnd({ createdAt }: Pick<Transaction, "createdAt">): Instant {
  return later(createdAt, AUTHORISATION_LIFE);
}

export function totalOf(transaction: Pick<Transaction, "amount" | "surcharge">): number {
  return transaction.amount + transaction.surcharge;
}

/** The acquirer has not been called yet. */
export function isAuthenticating({ phase }: Pick<Transaction, "phase">): boolean {
  return phase === "authenticating" || phase === "challenged";
}

/** The transaction once so much of it is captured, with the fee that the merchant's tariff asks for at this moment. */
export function captured(transaction: Transaction, amount: number, fees: Fees): Transaction {
  const fee = feeOf(fees, transaction.source, amount);
  return { ...transaction, captureStatus: "captured", captured: amount, fee };
}

/** The transaction with the bank's answer. An automatic capture takes all of it at once. */
export function settled(
  transaction: Transaction,
  answer: { readonly kind: "approved" | "declined"; readonly code: OutcomeName },
  now: Instant,
  { fees }: { readonly fees: Fees },
): Transaction {
  const status = nextState(lifecycle, transaction.status, answer.kind === "approved" ? "approve" : "decline");
  if (status === undefined) throw new Error("a transaction is settled once");
  const answered: Transaction = {
    ...transaction,
    status,
    phase: "settled",
    code: answer.code,
    captureStatus: status === "declined" ? null : "uncaptured",
    updatedAt: changeTime(now, transaction.updatedAt),
  };
  const taken = status === "approved" && transaction.captureType === "auto";
  return taken ? captured(answered, totalOf(answered), fees) : answered;
}

/**
 * A debit that the payer's bank took back. What was captured stays on record, for refunds were measured by it: one that was
 * made before the return has left the merchant's account as well.
 */
export function returned(transaction: Transaction, now: Instant): Transaction {
  const status = nextState(lifecycle, transaction.status, "return");
  if (status === undefined || transaction.source !== "direct_debit") {
    throw new Error("only an approved debit is returned");
  }
  const updatedAt = changeTime(now, transaction.updatedAt);
  return { ...transaction, status, code: "returned", captureStatus: null, updatedAt };
}

/** What can still be captured or given up: an approved authorisation that nothing has happened to. */
export function isOpenAuthorisation(transaction: Transaction): boolean {
  return transaction.status === "approved" && transaction.captureStatus === "uncaptured";
}

/** A pending refund holds its money: two refunds at once can't give back more than was taken. */
export function refundable(transaction: Transaction): number {
  return transaction.captured - transaction.refundsHeld;
}
