import type { Id } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import type { CalendarDay, Instant } from "../../kernel/time.ts";

export const LINE_KINDS = ["payment", "refund", "return"] as const;

/** A movement of money: positive when the merchant is owed it, negative when the merchant owes it. */
export type Line = {
  readonly kind: (typeof LINE_KINDS)[number];
  readonly subjectId: string;
  readonly transactionId: Id<"transaction">;
  readonly amount: number;
  readonly at: Instant;
};

/** What all lines that are held in one currency come to. */
export type Held = {
  readonly lines: number;
  readonly payments: number;
  readonly refunds: number;
  readonly returns: number;
};

export type Payout = Held & {
  readonly id: Id<"payout">;
  readonly merchantId: Id<"merchant">;
  readonly currency: Currency;
  readonly day: CalendarDay;
  readonly amount: number;
  readonly createdAt: Instant;
};

/** What a payout of these lines would be of. Nobody is paid nothing, or less: such lines wait for better days. */
export function payable(held: Held): number | undefined {
  const amount = held.payments + held.refunds + held.returns;
  return amount > 0 ? amount : undefined;
}
