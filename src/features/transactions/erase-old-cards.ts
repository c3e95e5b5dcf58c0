import { DAY, HOUR, later } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";

/** Refunds of older payments need the payer's card again. */
const KEPT = 180 * DAY;
const AT_ONCE = 200;

/** Erases the numbers of payments that could still be refunded but have not been for half a year. */
export const transactionChores: readonly Chore[] = [
  {
    name: "erase card numbers of old payments",
    everyMs: HOUR,
    run: async (ctx) => {
      const before = later(ctx.now(), -KEPT);
      const erased = await ctx.db.transaction((tx) => ctx.vault.eraseTransactionCards(tx, before, AT_ONCE));
      return erased < AT_ONCE ? "done" : "more";
    },
  },
];
