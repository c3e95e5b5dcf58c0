import type { Currency } from "../../kernel/money.ts";
import type { Context } from "../../platform/context.ts";
import { findFaults, type RecordTotals, sumRecords } from "./queries.ts";

/** A difference, with its merchant and record. */
export type Fault = { readonly merchantId: string; readonly subjectId: string; readonly about: string };

/** A merchant's money in one currency: in = out + held. */
export type Balance = RecordTotals & {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly balanced: boolean;
};

/**
 * Compares payouts and their lines with transactions and refunds, to the cent. It does not trust the lines: it sums up
 * the records that merchants see.
 */
export async function reconcile(
  ctx: Context,
): Promise<{ readonly balances: readonly Balance[]; readonly faults: readonly Fault[] }> {
  const sums = await sumRecords(ctx.db);
  const balances = sums.map((one) => ({
    ...one,
    balanced: one.payments - one.refunds - one.returns - one.fees === one.paidOut + one.held,
  }));
  return { balances, faults: await findFaults(ctx.db) };
}
