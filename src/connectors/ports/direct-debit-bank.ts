import type { ApprovalName, BankAnswer, DeclineName } from "../../kernel/codes/outcomes.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";

/** A bank account as it goes to the bank, for one call. Never stored, never logged. */
export type AccountDetails = {
  readonly accountName: string;
  /** Present for Australian accounts only. */
  readonly bsb?: string;
  readonly number: string;
};

export type DebitRequest = {
  /** Our transaction's id. The bank stores the debit under it: the same reference in another batch is the same debit. */
  readonly reference: string;
  readonly amount: Cents;
  readonly currency: Currency;
  /** When the merchant requested it. */
  readonly requestedAt: Instant;
  readonly account: AccountDetails;
};

export type DebitBatch = { readonly reference: string; readonly debits: readonly DebitRequest[] };

/** What a bank knows of a debit. A reported state is final, with one exception: a settled debit can be returned. */
export type DebitState =
  | { readonly kind: "never_seen" }
  /** The state does not change before `until`. */
  | { readonly kind: "processing"; readonly until: Instant }
  | { readonly kind: "settled"; readonly code: ApprovalName; readonly returnableUntil: Instant }
  | { readonly kind: "declined"; readonly code: DeclineName }
  /** It was settled, and the payer's bank took the money back. */
  | { readonly kind: "returned"; readonly code: "returned" };

/** Money for the account that was debited. Repeating it with the same reference moves no money twice. */
export type CreditRequest = {
  readonly reference: string;
  readonly debit: string;
  readonly amount: Cents;
  /** Absent when the number has been erased: a bank that can't find the account by the debit then declines. */
  readonly account?: AccountDetails;
};

/**
 * The bank that collects from bank accounts for us. Every call may throw or hang: the outcome is unknown then, and
 * repeating the call is always safe.
 */
export type DirectDebitBank = {
  /** The bank has the batch when this returns. It does not accept a debit twice. */
  readonly submit: (batch: DebitBatch) => Promise<void>;
  /** The state of each, in their order, as of that moment on the merchant's clock. Reading changes nothing. */
  readonly read: (references: readonly string[], asOf: Instant) => Promise<readonly DebitState[]>;
  readonly credit: (request: CreditRequest) => Promise<BankAnswer>;
};
