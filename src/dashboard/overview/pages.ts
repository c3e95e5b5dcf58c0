import { zoneOf } from "../../features/merchants/index.ts";
import { findOutcome } from "../../kernel/codes/outcomes.ts";
import { clockOf } from "../../platform/context.ts";
import type { MerchantPage } from "../shell/visit.ts";
import { messageWords } from "../shell/words.ts";
import { PERIODS } from "./overview.ts";
import { COUNTED_AT_MOST } from "./queries.ts";
import { readOverview } from "./read-overview.ts";
import { overviewPage } from "./view.ts";

export const overviewPages: readonly MerchantPage[] = [
  {
    method: "GET",
    path: "/",
    may: "read",
    run: async (ctx, { merchant, base, query, may }) => {
      const period = PERIODS.find((one) => one === query["period"]) ?? "7d";
      const overview = await readOverview(ctx, merchant, period);
      const { approved, declined, pending } = overview.totals;
      const mayTry = merchant.mode === "sandbox" && may("act");
      const content = overviewPage({
        ...overview,
        base,
        zone: zoneOf(merchant),
        now: clockOf(ctx, merchant),
        declines: overview.declines.map((one) => ({ ...one, words: outcomeWords(one.name) })),
        countedAtMost: COUNTED_AT_MOST,
        firstSteps:
          approved + declined + pending > 0 || !mayTry
            ? undefined
            : { href: `${base}/sandbox`, words: "Make a test payment" },
      });
      return { title: "Overview", section: "", content };
    },
  },
];

function outcomeWords(code: string): string {
  return messageWords(findOutcome(code) ?? code);
}
