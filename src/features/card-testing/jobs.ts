import { DAY, HOUR, later } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { deleteOldCounters, deleteOldMarks } from "./queries.ts";

/** A counter fades within two hours; a payer may come back to the page of a declined payment for some days. */
const COUNTERS_KEPT = 6 * HOUR;
const MARKS_KEPT = 90 * DAY;
const AT_ONCE = 10_000;

export const cardTestingChores: readonly Chore[] = [
  {
    name: "delete faded counters of card testing",
    everyMs: HOUR,
    run: async (ctx) => {
      const counters = await deleteOldCounters(ctx.db, later(ctx.now(), -COUNTERS_KEPT), AT_ONCE);
      const marks = await deleteOldMarks(ctx.db, later(ctx.now(), -MARKS_KEPT), AT_ONCE);
      return Math.max(counters, marks) < AT_ONCE ? "done" : "more";
    },
  },
];
