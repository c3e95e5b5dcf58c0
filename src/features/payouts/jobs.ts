import { HOUR } from "../../kernel/time.ts";
import type { Chore, JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { runPayouts } from "./make-payouts.ts";
import { insertMissingJobs, PAYOUT_JOB } from "./queries.ts";

export const payoutJobs: readonly JobSpec[] = [
  merchantJob({ kind: PAYOUT_JOB, subject: "merchant", run: (ctx, merchant) => runPayouts(ctx, merchant) }),
];

export const payoutChores: readonly Chore[] = [
  {
    name: "see that every merchant has its payout job",
    everyMs: HOUR,
    run: async (ctx) => {
      await insertMissingJobs(ctx.db, ctx.now());
      return "done";
    },
  },
];
