import type { OutcomeName } from "../../../kernel/codes/outcomes.ts";
import type { Id } from "../../../kernel/ids.ts";
import type { Lifecycle } from "../../../kernel/lifecycle.ts";
import type { Cents } from "../../../kernel/money.ts";
import type { Transaction } from "../transaction.ts";

export type OperationStatus = "pending" | "done" | "refused";
export type OperationTrigger = "finish" | "refuse";

/** A capture, void, expiry or late reversal at the acquirer. A transaction has at most one that is pending. */
export const operationLifecycle: Lifecycle<OperationStatus, OperationTrigger> = {
  pending: { finish: "done", refuse: "refused" },
  done: {},
  refused: {},
};

export type Operation = {
  readonly id: Id<"operation">;
  readonly merchantId: Id<"merchant">;
  readonly transactionId: Id<"transaction">;
  /** `reverse` returns an approval that arrived after the payment was declined. */
  readonly kind: "capture" | "void" | "expire" | "reverse";
  readonly amount: Cents;
  /** The merchant's own, of a capture. */
  readonly reference: string | null;
  readonly status: OperationStatus;
  /** The acquirer's answer; null until it is known. */
  readonly code: OutcomeName | null;
};

/** What is decided about an operation before it begins. */
export type Decided = Pick<Operation, "kind" | "amount"> & Partial<Pick<Operation, "reference">>;

/** The transaction after a capture or void, and that operation: pending while its outcome is unknown. */
export type OperatedTransaction = { readonly transaction: Transaction; readonly operation: Operation };
