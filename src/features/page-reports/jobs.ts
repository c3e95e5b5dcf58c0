import { DAY, HOUR, later } from "../../kernel/time.ts";
import type { Chore } from "../../platform/jobs/job.ts";
import { deleteOldReports } from "./queries.ts";

/** Since the last report of their kind. */
const KEPT = 30 * DAY;

export const pageReportChores: readonly Chore[] = [
  {
    name: "delete old reports of pages",
    everyMs: HOUR,
    run: async (ctx) => {
      await deleteOldReports(ctx.db, later(ctx.now(), -KEPT));
      return "done";
    },
  },
];
