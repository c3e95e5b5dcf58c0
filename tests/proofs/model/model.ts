/** What a merchant's server would know after the answers that it got. */
export type Model = {
  account: ModelAccount;
  /** Of Apple Pay: `localhost`. */
  isDomainRegistered: boolean;
  /** Of webhooks, once it was replaced. */
  signingKey?: string;
  settings: WebhookSettings;
  readonly customers: Map<string, ModelCustomer>;
  readonly instruments: Map<string, ModelInstrument>;
  readonly requests: Map<string, ModelRequest>;
  readonly transactions: Map<string, ModelTransaction>;
  readonly refunds: Map<string, ModelRefund>;
  readonly disputes: Map<string, ModelDispute>;
  readonly payouts: Map<string, ModelPayout>;
  readonly webhooks: Map<string, ModelWebhook>;
  /** Keys that were used up, and what they made. */
  readonly keys: UsedKey[];
  readonly counts: Record<string, number>;
};

export type ModelAccount = {
  readonly name?: string;
  readonly payId: boolean;
  readonly directDebit: boolean;
};

export type WebhookSettings = {
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly header: string;
};

type Listed = {
  readonly reference: string;
  readonly created: string;
  readonly metadata?: string | undefined;
};

export type ModelCustomer = Listed & { readonly name: string };

export type ModelInstrument = Listed & {
  readonly customerId: string;
  readonly type: "card" | "bank_account";
  readonly isDeleted: boolean;
};

export type ModelRequest = Listed & {
  readonly amount: number;
  readonly isManual: boolean;
  /** How many payments it takes until one is approved. */
  readonly attempts: number;
  readonly status: "created" | "completed" | "cancelled" | "expired";
  /** The customer whose card it stores. */
  readonly storesFor?: string | undefined;
  /** Of a PayID request, with what was sent back. */
  readonly payId?: string | undefined;
  readonly returns: readonly { readonly amount: number; readonly reason: string }[];
};

export const CURRENCIES = ["AUD", "NZD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** What is known of a payment before its outcome. */
export type ModelAttempt = Listed & {
  readonly currency: Currency;
  readonly source: "card" | "direct_debit" | "payid";
  readonly amount: number;
  readonly isManual: boolean;
  readonly requestId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly instrumentId?: string | undefined;
};

export type ModelTransaction = ModelAttempt & {
  readonly status: "pending" | "approved" | "declined";
  readonly captureStatus?: "captured" | "uncaptured" | "voided" | "expired" | undefined;
  readonly captured: number;
};

export type ModelRefund = Listed & {
  readonly transactionId: string;
  readonly amount: number;
  readonly status: "pending" | "approved" | "declined";
};

export type ModelDispute = Listed & {
  readonly transactionId: string;
  readonly amount: number;
  readonly status: "needs_response" | "under_review" | "won" | "lost" | "accepted";
  readonly evidence?: string;
};

export type ModelPayout = {
  readonly amount: number;
  readonly currency: Currency;
  readonly created: string;
};

export type ModelWebhook = {
  readonly event: string;
  readonly url: string;
  readonly status: "active" | "disabled";
  readonly created: string;
};

export type UsedKey = {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  /** Null: it made no resource. */
  readonly id: string | null;
};

export function emptyModel(): Model {
  return {
    account: { payId: true, directDebit: true },
    isDomainRegistered: false,
    settings: { username: null, hasPassword: false, header: "Authorization" },
    customers: new Map(),
    instruments: new Map(),
    requests: new Map(),
    transactions: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    payouts: new Map(),
    webhooks: new Map(),
    keys: [],
    counts: { calls: 0, crashes: 0, lists: 0 },
  };
}

export function count(model: Model, what: string, by = 1): void {
  model.counts[what] = (model.counts[what] ?? 0) + by;
}

/** The entries that fit. */
export function where<Value>(
  entries: ReadonlyMap<string, Value>,
  fits: (value: Value, id: string) => boolean,
): ReadonlyMap<string, Value> {
  return new Map([...entries].filter(([id, value]) => fits(value, id)));
}

function sumOf(entries: ReadonlyMap<string, { readonly amount: number }>): number {
  return [...entries.values()].reduce((sum, { amount }) => sum + amount, 0);
}

/** A payment with its outcome. An automatic capture takes all of it. */
export function decided(attempt: ModelAttempt, status: ModelTransaction["status"]): ModelTransaction {
  if (status !== "approved") return { ...attempt, status, captureStatus: undefined, captured: 0 };
  return attempt.isManual
    ? { ...attempt, status, captureStatus: "uncaptured", captured: 0 }
    : { ...attempt, status, captureStatus: "captured", captured: attempt.amount };
}

/** The sum of a transaction's refunds with that status. */
export function refunded(model: Model, id: string, status: ModelRefund["status"]): number {
  return sumOf(where(model.refunds, (refund) => refund.transactionId === id && refund.status === status));
}

/** What refunds can still take. Pending ones and disputes hold their amounts. */
export function refundable(model: Model, id: string): number {
  const transaction = model.transactions.get(id);
  if (transaction?.status !== "approved" || transaction.captureStatus !== "captured") return 0;
  const disputed = where(model.disputes, (one) => one.transactionId === id && one.status !== "won");
  const held = refunded(model, id, "pending") + refunded(model, id, "approved");
  return transaction.captured - held - sumOf(disputed);
}

/** What the next payout of a currency has to pay: negative when refunds, returns and disputes took more than came in. */
export function owed(model: Model, currency: Currency): number {
  const transactions = where(model.transactions, (one) => one.currency === currency);
  const isOfThese = ({ transactionId }: { readonly transactionId: string }) =>
    transactions.has(transactionId);
  const taken = [...transactions.values()]
    .filter(({ status }) => status === "approved")
    .reduce((sum, { captured }) => sum + captured, 0);
  return (
    taken -
    sumOf(where(model.refunds, (one) => one.status === "approved" && isOfThese(one))) -
    sumOf(where(model.disputes, (one) => one.status !== "won" && isOfThese(one))) -
    sumOf(where(model.payouts, (one) => one.currency === currency))
  );
}

/** The outcome of a card payment or a card's refund in the sandbox, by its amount. */
export function outcomeOf(amount: number): "approved" | "declined" {
  return amount === 14_451 || amount === 14_405 ? "declined" : "approved";
}

/** A debit of this amount is declined. */
export const DEBIT_DECLINED = 11_000;
/** A debit of this amount is approved, and returned after that. */
export const DEBIT_RETURNED = 11_005;
/** A refund of this amount to a bank account is declined. */
export const CREDIT_DECLINED = 11_400;
