/** What a merchant's server would know after the answers that it got. */
export type Model = {
  readonly customers: Map<string, ModelCustomer>;
  /** Bank accounts and cards that were not deleted, with their customer. */
  readonly instruments: Map<string, { readonly customerId: string; readonly type: "card" | "bank_account" }>;
  readonly requests: Map<string, ModelRequest>;
  readonly transactions: Map<string, ModelTransaction>;
  readonly refunds: Map<string, ModelRefund>;
  /** Keys that were used up, and what they made. */
  readonly keys: UsedKey[];
  readonly counts: Record<string, number>;
};

type Listed = {
  readonly reference: string;
  readonly created: string;
  readonly metadata?: string | undefined;
};

export type ModelCustomer = Listed & { readonly name: string };

export type ModelRequest = Listed & {
  readonly amount: number;
  readonly isManual: boolean;
  readonly status: "created" | "completed" | "cancelled";
};

export type ModelTransaction = Listed & {
  readonly requestId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly amount: number;
  /** A debit's outcome arrives by itself. */
  readonly status: "approved" | "declined" | "any";
  readonly captureStatus?: "captured" | "uncaptured" | "voided" | undefined;
  readonly captured: number;
  readonly refunded: number;
};

export type ModelRefund = Listed & { readonly transactionId: string; readonly amount: number };

export type UsedKey = {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  readonly id: string;
};

export function emptyModel(): Model {
  return {
    customers: new Map(),
    instruments: new Map(),
    requests: new Map(),
    transactions: new Map(),
    refunds: new Map(),
    keys: [],
    counts: { calls: 0, crashes: 0, lists: 0 },
  };
}

export function count(model: Model, what: string, by = 1): void {
  model.counts[what] = (model.counts[what] ?? 0) + by;
}

/** What refunds can still take. */
export function refundable({ status, captureStatus, captured, refunded }: ModelTransaction): number {
  return status === "approved" && captureStatus === "captured" ? captured - refunded : 0;
}

/** The outcome of a card payment in the sandbox, by its amount. */
export function outcomeOf(amount: number): "approved" | "declined" {
  return amount === 14_451 || amount === 14_405 ? "declined" : "approved";
}
