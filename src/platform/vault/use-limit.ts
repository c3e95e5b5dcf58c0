import { type Instant, MINUTE } from "../../kernel/time.ts";

/**
 * How many numbers of one merchant may be used within a minute on this node. Calls of the merchant and work of the gateway
 * are counted apart: a flood of charges holds up no refund.
 */
export type UseLimit = {
  /** Counts a use; returns for how long the caller has to wait when there were too many, and counts nothing then. */
  readonly admit: (merchantId: string) => number;
  /** Counts a use of the gateway's own work, in a later minute when there were too many. */
  readonly pace: (merchantId: string) => Promise<void>;
};

type Parts = {
  /** 0: no limit. */
  readonly perMinute: number;
  readonly now: () => Instant;
  /** Every time that a use was not admitted at once. `isFirst`: in this minute, for this merchant. */
  readonly onReached: (merchantId: string, answer: "refused" | "delayed", isFirst: boolean) => void;
};

type Counts = { called: number; worked: number; isReached: boolean };

export function createUseLimit({ perMinute, now, onReached }: Parts): UseLimit {
  let minute = 0;
  /** Of the current minute alone, so it holds no more merchants than were active in it. */
  const merchants = new Map<string, Counts>();

  function countsOf(merchantId: string, current: number): Counts {
    if (current !== minute) merchants.clear();
    minute = current;
    const counts = merchants.get(merchantId) ?? { called: 0, worked: 0, isReached: false };
    merchants.set(merchantId, counts);
    return counts;
  }

  function take(merchantId: string, which: "called" | "worked"): number {
    if (perMinute === 0) return 0;
    // Read once: at the turn of the minute a second reading would leave no time to wait.
    const time = now();
    const counts = countsOf(merchantId, Math.floor(time / MINUTE));
    if (counts[which] < perMinute) {
      counts[which] += 1;
      return 0;
    }
    const isFirst = !counts.isReached;
    counts.isReached = true;
    onReached(merchantId, which === "called" ? "refused" : "delayed", isFirst);
    return (minute + 1) * MINUTE - time;
  }

  return {
    admit: (merchantId) => take(merchantId, "called"),
    pace: async (merchantId) => {
      for (let wait = take(merchantId, "worked"); wait > 0; wait = take(merchantId, "worked")) {
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
  };
}
