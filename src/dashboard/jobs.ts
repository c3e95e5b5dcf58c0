import { HOUR, MINUTE } from "../kernel/time.ts";
import type { Chore } from "../platform/jobs/job.ts";
import { addUpTotals } from "./overview/hours/add-up-totals.ts";
import { deleteExpired } from "./sign-in/delete-expired.ts";
import { disableInactive } from "./users/disable-inactive.ts";

export const dashboardChores: readonly Chore[] = [
  { name: "add up the totals of past hours", everyMs: MINUTE, run: addUpTotals },
  {
    name: "delete old dashboard sessions",
    everyMs: HOUR,
    run: async (ctx) => {
      await deleteExpired(ctx);
      return "done";
    },
  },
  {
    name: "disable users who do not sign in",
    everyMs: HOUR,
    run: async (ctx) => {
      await disableInactive(ctx);
      return "done";
    },
  },
];
