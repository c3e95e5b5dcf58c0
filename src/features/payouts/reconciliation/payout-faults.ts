import type { Fault, PayoutTotals } from "./queries.ts";

const TOTALS = ["lines", "amount", "payments", "refunds", "returns", "fees", "disputes"] as const;

type LineSums = PayoutTotals & { readonly isPure: boolean };

/**
 * Compares payouts with the sums of their lines. Both come in the order of merchants and payouts and are read side by
 * side, so that only one of each is in memory.
 */
export async function* findPayoutFaults(
  payouts: AsyncIterable<PayoutTotals>,
  portions: AsyncIterable<PayoutTotals>,
  inProgress: ReadonlySet<string>,
): AsyncGenerator<Fault> {
  const sums = sumByPayout(portions);
  let next = await sums.next();
  const stray = (lines: LineSums): readonly Fault[] =>
    inProgress.has(lines.payoutId) ? [] : [fault(lines, "a line names a payout that does not exist")];
  for await (const payout of payouts) {
    while (next.done !== true && order(next.value, payout) < 0) {
      yield* stray(next.value);
      next = await sums.next();
    }
    const own = next.done !== true && order(next.value, payout) === 0 ? next.value : undefined;
    if (own === undefined || !isSumOf(payout, own))
      yield fault(payout, "a payout is not the sum of its lines");
    if (own !== undefined) next = await sums.next();
  }
  for (; next.done !== true; next = await sums.next()) yield* stray(next.value);
}

/** Joins the portions of each payout. */
async function* sumByPayout(portions: AsyncIterable<PayoutTotals>): AsyncGenerator<LineSums> {
  let current: LineSums | undefined;
  for await (const portion of portions) {
    if (current !== undefined && order(current, portion) === 0) current = add(current, portion);
    else {
      if (current !== undefined) yield current;
      current = { ...portion, isPure: true };
    }
  }
  if (current !== undefined) yield current;
}

function add(one: LineSums, other: PayoutTotals): LineSums {
  return {
    ...one,
    isPure: one.isPure && one.currency === other.currency,
    lines: one.lines + other.lines,
    amount: one.amount + other.amount,
    payments: one.payments + other.payments,
    refunds: one.refunds + other.refunds,
    returns: one.returns + other.returns,
    fees: one.fees + other.fees,
    disputes: one.disputes + other.disputes,
  };
}

function isSumOf(payout: PayoutTotals, sums: LineSums): boolean {
  return sums.isPure && sums.currency === payout.currency && TOTALS.every((key) => payout[key] === sums[key]);
}

function fault({ merchantId, payoutId }: PayoutTotals, about: string): Fault {
  return { merchantId, subjectId: payoutId, about };
}

/** Ids are ASCII, so this is the database's order. */
function order(one: PayoutTotals, other: PayoutTotals): number {
  const [left, right] = [one.merchantId + one.payoutId, other.merchantId + other.payoutId];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
