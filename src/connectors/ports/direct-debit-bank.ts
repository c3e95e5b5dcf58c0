import type { ApprovalName, BankAnswer, DeclineName } from "../../kernel/codes/outcomes.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";

/** A bank account as it goes to the bank, for one call. Never stored, never logged. */
export type AccountDetails = {
  readonly accountName: string;
  /** Its presence makes the account an Australian one. */
  readonly bsb?: string;
  readonly number: string;
};

export type DebitRequest = {
  /** Our transaction's id. The bank books under it: the same debit in another batch is the same debit. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: Currency;
  /** When the merchant asked for it. */
  readonly askedAt: Instant;
  readonly account: AccountDetails;
};

export type DebitBatch = { readonly reference: string; readonly debits: readonly DebitRequest[] };

/** What a bank knows of a debit. Nothing that it said before is taken back, with one exception: what was settled can return. */
export type DebitState =
  | { readonly kind: "never_seen" }
  /** Not before `until` is there anything new. */
  | { readonly kind: "processing"; readonly until: Instant }
  | { readonly kind: "settled"; readonly code: ApprovalName; readonly returnableUntil: Instant }
  | { readonly kind: "declined"; readonly code: DeclineName }
  /** It was settled, and the payer's bank took the money back. */
  | { readonly kind: "returned"; readonly code: "returned" };

/** Money for the account that was debited. Repeating it with the same reference moves nothing twice. */
export type CreditRequest = {
  readonly reference: string;
  readonly debit: string;
  readonly amount: number;
  /** Left out when the number was erased since: a bank that can't find the account by the debit then declines. */
  readonly account?: AccountDetails;
};

/**
 * Whoever collects from bank accounts for us. Every call may throw or hang; both mean that nobody knows, and asking again
 * is always safe.
 */
export type DirectDebitBank = {
  /** The bank has the batch when this returns. What it has already it does not take twice. */
  readonly submit: (batch: DebitBatch) => Promise<void>;
  /** What is known of each, in their order, as of that moment on the merchant's clock. Reading changes nothing. */
  readonly read: (references: readonly string[], asOf: Instant) => Promise<readonly DebitState[]>;
  readonly credit: (request: CreditRequest) => Promise<BankAnswer>;
  /** Only where time is played: what the debit waits for next happens now. */
  readonly hurry?: (reference: string, asOf: Instant) => Promise<void>;
};
