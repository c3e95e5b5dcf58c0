import { SECOND } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { runDuePayouts } from "./make-payouts.ts";

export const payoutChores: readonly Chore[] = [
  {
    name: "pay out the balances of past days",
    everyMs: 2 * SECOND,
    run: async (ctx) => {
      await runDuePayouts(ctx);
      return "done";
    },
  },
];
