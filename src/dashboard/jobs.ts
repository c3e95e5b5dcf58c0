import { HOUR, MINUTE } from "../kernel/time.ts";
import type { Chore } from "../platform/jobs/job.ts";
import { keepHours } from "./overview/hours/keep-hours.ts";
import { deleteExpired } from "./sign-in/delete-expired.ts";

export const dashboardChores: readonly Chore[] = [
  { name: "add up the totals of past hours", everyMs: MINUTE, run: keepHours },
  {
    name: "delete old dashboard sessions",
    everyMs: HOUR,
    run: async (ctx) => {
      await deleteExpired(ctx);
      return "done";
    },
  },
];
