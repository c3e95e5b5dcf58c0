import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import type { CalendarDay, Instant } from "../../kernel/time.ts";

export type BuildPhase = "counting" | "taking";

/** A payout that is being built counts its lines first, then takes them. Its row is deleted once the payout is written. */
export const buildLifecycle: Lifecycle<BuildPhase, "take"> = {
  counting: { take: "taking" },
  taking: {},
};

export const LINE_KINDS = ["payment", "refund", "return", "fee", "dispute", "dispute_won"] as const;

/** Money in or out: positive if the merchant is owed it, negative if the merchant owes it. */
export type Line = {
  readonly kind: (typeof LINE_KINDS)[number];
  readonly subjectId: string;
  readonly transactionId: Id<"transaction">;
  readonly amount: Cents;
  readonly at: Instant;
};

/** A line with the reference of what it is about: of the refund, else of the transaction. */
export type ExportedLine = Line & {
  readonly reference: string;
  /** Of the transaction, also on the line of a refund. */
  readonly orderReference: string;
};

/** One day's money of a merchant in one currency. Its amount is above 0: lines that add up to less wait for later lines. */
export type Payout = {
  readonly id: Id<"payout">;
  readonly merchantId: Id<"merchant">;
  readonly currency: Currency;
  readonly day: CalendarDay;
  readonly amount: Cents;
  readonly lines: number;
  /** The sum of its lines of each kind. */
  readonly payments: Cents;
  readonly refunds: Cents;
  readonly returns: Cents;
  readonly fees: Cents;
  /** What disputes took, less what came back of those that were won. */
  readonly disputes: Cents;
  readonly createdAt: Instant;
};
