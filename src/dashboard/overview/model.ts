export type OverviewStretch = {
  readonly start: number;
  readonly captured: number;
  readonly refunded: number;
  readonly approved: number;
  readonly declined: number;
};

export type OverviewShare = { readonly name: string; readonly count: number };

/** What the first page shows. Amounts are cents of one currency, moments are on the merchant's clock. */
export type OverviewModel = {
  readonly base: string;
  readonly zone: string;
  readonly now: number;
  readonly period: string;
  readonly currency: string;
  readonly otherCurrencies: readonly string[];
  readonly stretches: readonly OverviewStretch[];
  readonly totals: Omit<OverviewStretch, "start"> & { readonly pending: number; readonly refunds: number };
  readonly approvalRate: number | undefined;
  readonly declines: readonly (OverviewShare & { readonly words: string })[];
  readonly methods: readonly OverviewShare[];
  readonly state: {
    readonly openRequests: number;
    readonly pendingTransactions: number;
    readonly pendingDebits: number;
    readonly pendingDebitAmount: number;
    readonly failedDeliveries: number;
    readonly waitingDeliveries: number;
    readonly oldestWaiting: number | null;
    readonly held: readonly { readonly currency: string; readonly lines: number; readonly amount: number }[];
    readonly newest: {
      readonly delivered: number;
      readonly failed: number;
      readonly waiting: number;
      readonly medianMs: number;
    };
  };
  /** Counts that reached it say "or more". */
  readonly countedAtMost: number;
  /** Nothing was ever paid here: the page says how to begin. */
  readonly firstSteps: { readonly href: string; readonly words: string } | undefined;
};
