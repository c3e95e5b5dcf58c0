import type { Instant } from "../../kernel/time.ts";

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];

/** What was added up of one stretch of time. `place` counts stretches from 1. */
export type HourSum = {
  readonly place: number;
  readonly kind: "transaction" | "refund";
  readonly currency: string;
  readonly source: string;
  readonly status: string;
  readonly code: string;
  readonly count: number;
  readonly amount: number;
};

/** How things stand right now. */
export type OverviewState = {
  readonly openRequests: number;
  readonly pendingTransactions: number;
  readonly pendingDebits: number;
  readonly pendingDebitAmount: number;
  readonly failedDeliveries: number;
  readonly waitingDeliveries: number;
  readonly oldestWaiting: Instant | null;
  readonly held: readonly { readonly currency: string; readonly lines: number; readonly amount: number }[];
  readonly newest: {
    readonly delivered: number;
    readonly failed: number;
    readonly waiting: number;
    readonly medianMs: number;
  };
};

/** One stretch of time: an hour or a day. */
export type Stretch = {
  readonly start: Instant;
  readonly captured: number;
  readonly refunded: number;
  readonly approved: number;
  readonly declined: number;
};

export type Share = { readonly name: string; readonly count: number; readonly amount: number };

export type Overview = {
  readonly period: Period;
  readonly currency: string;
  /** Currencies in which something happened besides, if any. */
  readonly otherCurrencies: readonly string[];
  readonly stretches: readonly Stretch[];
  readonly totals: Omit<Stretch, "start"> & { readonly pending: number; readonly refunds: number };
  /** Of all that were decided; undefined where none were. */
  readonly approvalRate: number | undefined;
  readonly declines: readonly Share[];
  readonly methods: readonly Share[];
  readonly state: OverviewState;
};

/**
 * What the sums say, in one currency: amounts of two can't be added. Outcomes count whatever the currency was, since a
 * decline is one in any.
 */
export function overviewOf(
  period: Period,
  currency: string,
  starts: readonly Instant[],
  sums: readonly HourSum[],
  state: OverviewState,
): Overview {
  const transactions = sums.filter(({ kind }) => kind === "transaction");
  const refunds = sums.filter(({ kind, status }) => kind === "refund" && status !== "declined");
  const money = (of: readonly HourSum[]) =>
    total(
      of.filter((one) => one.currency === currency),
      "amount",
    );
  const counted = (of: readonly HourSum[], status: string) =>
    total(
      of.filter((one) => one.status === status),
      "count",
    );
  const factsOf = (paid: readonly HourSum[], back: readonly HourSum[]) => ({
    captured: money(paid),
    refunded: money(back),
    approved: counted(paid, "approved"),
    declined: counted(paid, "declined"),
  });
  const stretches = starts.map((start, index) => {
    const here = (of: readonly HourSum[]) => of.filter(({ place }) => place === index + 1);
    return { start, ...factsOf(here(transactions), here(refunds)) };
  });
  const totals = {
    ...factsOf(transactions, refunds),
    pending: counted(transactions, "pending"),
    refunds: total(refunds, "count"),
  };
  const decided = totals.approved + totals.declined;
  return {
    period,
    currency,
    otherCurrencies: [...new Set(sums.map((one) => one.currency))].filter((one) => one !== currency).sort(),
    stretches,
    totals,
    approvalRate: decided === 0 ? undefined : totals.approved / decided,
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

function total(sums: readonly HourSum[], what: "count" | "amount"): number {
  return sums.reduce((sum, one) => sum + one[what], 0);
}

/** Most frequent first. */
function shares(sums: readonly HourSum[], nameOf: (sum: HourSum) => string): readonly Share[] {
  const names = [...new Set(sums.map(nameOf))];
  return names
    .map((name) => {
      const own = sums.filter((one) => nameOf(one) === name);
      return { name, count: total(own, "count"), amount: total(own, "amount") };
    })
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}
