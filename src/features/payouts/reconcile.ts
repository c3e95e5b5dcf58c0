import type { Currency } from "../../kernel/money.ts";
import type { World } from "../../platform/world.ts";
import { type BookSums, findFaults, sumBooks } from "./queries.ts";

/** Something that does not add up: of whom, what, and about which record. */
export type Fault = { readonly merchantId: string; readonly subjectId: string; readonly about: string };

/** A merchant's money in one currency: in = out + held. */
export type Balance = BookSums & {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly balanced: boolean;
};

/**
 * Holds payouts and their lines against transactions and refunds, to the cent. The lines are not believed: what moved is
 * added up again from the records that merchants see.
 */
export async function reconcile(
  world: World,
): Promise<{ readonly balances: readonly Balance[]; readonly faults: readonly Fault[] }> {
  const sums = await sumBooks(world.db);
  const balances = sums.map((one) => ({
    ...one,
    balanced: one.payments - one.refunds - one.returns - one.fees === one.paidOut + one.held,
  }));
  return { balances, faults: await findFaults(world.db) };
}
