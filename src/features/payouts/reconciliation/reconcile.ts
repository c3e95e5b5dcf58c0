import type { Currency } from "../../../kernel/money.ts";
import type { Context } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { findPayoutFaults } from "./payout-faults.ts";
import {
  type Fault,
  listPayoutsInProgress,
  type RecordSums,
  walkDisputes,
  walkLines,
  walkPaidLines,
  walkPayouts,
  walkRefunds,
  walkTransactions,
} from "./queries.ts";

/** A merchant's money in one currency: in = out + held. */
export type Balance = Required<RecordSums> & { readonly balanced: boolean };

export type Reconciliation = {
  readonly balances: readonly Balance[];
  /** By merchant and record: the first FAULTS_LISTED that were found. */
  readonly faults: readonly Fault[];
  /** Whether these are all faults. */
  readonly isComplete: boolean;
};

/** More than these help no operator, and the memory for them has to end somewhere. */
export const FAULTS_LISTED = 10_000;

const SUMMED = ["payments", "refunds", "returns", "fees", "disputes", "paidOut", "held"] as const;
type Sums = Record<(typeof SUMMED)[number], bigint>;

/**
 * Compares payouts and their lines with transactions, refunds and disputes, to the cent. It does not trust the lines: it sums up
 * the records that merchants see. It reads one snapshot of the database in portions, so that neither memory nor the time
 * of a statement grows with the number of records.
 */
export async function reconcile(ctx: Context): Promise<Reconciliation> {
  return ctx.db.snapshot(async (tx) => {
    const ledger = createLedger();
    const faults: Fault[] = [];
    let isComplete = true;
    for await (const found of compareRecords(tx, ledger.add)) {
      if (faults.length < FAULTS_LISTED) faults.push(found);
      else isComplete = false;
    }
    const inOrder = faults.toSorted(
      (one, other) => compare(one.merchantId, other.merchantId) || compare(one.subjectId, other.subjectId),
    );
    return { balances: ledger.balances(), faults: inOrder, isComplete };
  });
}

/** Yields faults as they are found. */
async function* compareRecords(tx: Tx, add: (sums: RecordSums) => void): AsyncGenerator<Fault> {
  for (const walk of [walkTransactions, walkRefunds, walkDisputes, walkLines]) {
    for await (const { sums, faults } of walk(tx)) {
      for (const one of sums) add(one);
      yield* faults;
    }
  }
  const inProgress = new Set(await listPayoutsInProgress(tx));
  const payouts = withEach(walkPayouts(tx), ({ merchantId, currency, amount }) =>
    add({ merchantId, currency, paidOut: amount }),
  );
  yield* findPayoutFaults(payouts, walkPaidLines(tx), inProgress);
}

/** Adds up by merchant and currency. Sums of many years of cents may be no safe integers, so they are big ones. */
function createLedger() {
  const kept = new Map<string, { merchantId: string; currency: Currency; sums: Sums }>();
  return {
    add: (record: RecordSums) => {
      const { merchantId, currency } = record;
      const name = `${merchantId} ${currency}`;
      const none = Object.fromEntries(SUMMED.map((key) => [key, 0n])) as Sums;
      const { sums } = kept.get(name) ?? { sums: none };
      for (const key of SUMMED) sums[key] += BigInt(record[key] ?? 0);
      kept.set(name, { merchantId, currency, sums });
    },
    balances: (): readonly Balance[] =>
      [...kept.entries()]
        .sort(([one], [other]) => compare(one, other))
        .map(([, { merchantId, currency, sums }]) => ({
          merchantId,
          currency,
          payments: Number(sums.payments),
          refunds: Number(sums.refunds),
          returns: Number(sums.returns),
          fees: Number(sums.fees),
          disputes: Number(sums.disputes),
          paidOut: Number(sums.paidOut),
          held: Number(sums.held),
          balanced:
            sums.payments - sums.refunds - sums.returns - sums.fees - sums.disputes ===
            sums.paidOut + sums.held,
        })),
  };
}

async function* withEach<One>(all: AsyncIterable<One>, act: (one: One) => void): AsyncGenerator<One> {
  for await (const one of all) {
    act(one);
    yield one;
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
