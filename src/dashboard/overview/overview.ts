import type { Instant } from "../../kernel/time.ts";

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];

/** A sum of one bucket of time. `place` counts buckets from 1. */
export type BucketSum = {
  readonly place: number;
  readonly kind: "transaction" | "refund";
  readonly currency: string;
  readonly source: string;
  readonly status: string;
  readonly code: string;
  readonly count: number;
  readonly amount: number;
};

/** The state right now, whatever the period. */
export type OverviewState = {
  readonly openRequests: number;
  readonly pendingTransactions: number;
  readonly pendingDebits: readonly {
    readonly currency: string;
    readonly count: number;
    readonly amount: number;
  }[];
  readonly failedDeliveries: number;
  readonly waitingDeliveries: number;
  readonly oldestWaiting: Instant | null;
  readonly held: readonly { readonly currency: string; readonly lines: number; readonly amount: number }[];
  readonly newest: {
    readonly delivered: number;
    readonly failed: number;
    readonly waiting: number;
    /** Of those that were acknowledged. */
    readonly medianMs: number | null;
  };
  /** The first of the merchant's jobs that need attention. */
  readonly jobsInNeed: readonly { readonly problem: string; readonly subjectId: string }[];
};

/** An hour or a day. */
export type Bucket = {
  readonly start: Instant;
  readonly captured: number;
  readonly refunded: number;
  readonly approved: number;
  readonly declined: number;
};

export type Share = { readonly name: string; readonly count: number; readonly amount: number };

export type Totals = Omit<Bucket, "start"> & { readonly pending: number; readonly refunds: number };

export type Overview = {
  readonly period: Period;
  readonly currency: string;
  /** Other currencies of the period, if any. */
  readonly otherCurrencies: readonly string[];
  readonly buckets: readonly Bucket[];
  readonly totals: Totals;
  /** Of the decided payments; undefined where none was decided. */
  readonly approvalRate: number | undefined;
  /** The period before this one, up to the same time: Monday noon is compared with Monday noon. */
  readonly previous: { readonly totals: Totals; readonly approvalRate: number | undefined };
  readonly declines: readonly Share[];
  readonly methods: readonly Share[];
  readonly state: OverviewState;
};

export type OverviewInput = {
  readonly period: Period;
  readonly currency: string;
  /** When each bucket begins. */
  readonly starts: readonly Instant[];
  readonly sums: readonly BucketSum[];
  /** All in one bucket. */
  readonly previousSums: readonly BucketSum[];
  readonly state: OverviewState;
};

/** Adds up amounts of one currency only; outcomes are counted in every currency. */
export function overviewOf(input: OverviewInput): Overview {
  const { period, currency, starts, sums, previousSums, state } = input;
  const transactions = paymentsOf(sums);
  const refunds = refundsOf(sums);
  const money = (of: readonly BucketSum[]) =>
    total(
      of.filter((one) => one.currency === currency),
      "amount",
    );
  const counted = (of: readonly BucketSum[], status: string) =>
    total(
      of.filter((one) => one.status === status),
      "count",
    );
  const totalsOf = (paid: readonly BucketSum[], back: readonly BucketSum[]) => ({
    captured: money(paid),
    refunded: money(back),
    approved: counted(paid, "approved"),
    declined: counted(paid, "declined"),
  });
  const buckets = starts.map((start, index) => {
    const here = (of: readonly BucketSum[]) => of.filter(({ place }) => place === index + 1);
    return { start, ...totalsOf(here(transactions), here(refunds)) };
  });
  const allOf = (paid: readonly BucketSum[], back: readonly BucketSum[]): Totals => ({
    ...totalsOf(paid, back),
    pending: counted(paid, "pending"),
    refunds: total(back, "count"),
  });
  const totals = allOf(transactions, refunds);
  const before = allOf(paymentsOf(previousSums), refundsOf(previousSums));
  return {
    period,
    currency,
    otherCurrencies: [...new Set(sums.map((one) => one.currency))].filter((one) => one !== currency).sort(),
    buckets,
    totals,
    approvalRate: rateOf(totals),
    previous: { totals: before, approvalRate: rateOf(before) },
    declines: shares(
      transactions.filter(({ status }) => status === "declined"),
      ({ code }) => code,
    ),
    methods: shares(
      transactions.filter(({ status }) => status === "approved"),
      ({ source }) => source,
    ),
    state,
  };
}

function paymentsOf(sums: readonly BucketSum[]): readonly BucketSum[] {
  return sums.filter(({ kind }) => kind === "transaction");
}

function refundsOf(sums: readonly BucketSum[]): readonly BucketSum[] {
  return sums.filter(({ kind, status }) => kind === "refund" && status !== "declined");
}

function rateOf({ approved, declined }: Totals): number | undefined {
  return approved + declined === 0 ? undefined : approved / (approved + declined);
}

function total(sums: readonly BucketSum[], what: "count" | "amount"): number {
  return sums.reduce((sum, one) => sum + one[what], 0);
}

/** Most frequent first. */
function shares(sums: readonly BucketSum[], nameOf: (sum: BucketSum) => string): readonly Share[] {
  const names = [...new Set(sums.map(nameOf))];
  return names
    .map((name) => {
      const own = sums.filter((one) => nameOf(one) === name);
      return { name, count: total(own, "count"), amount: total(own, "amount") };
    })
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}
