import { clockOf } from "../../platform/context.ts";
import type { JobSpec } from "../../platform/jobs/job.ts";
import { MERCHANT_CLOCK, merchantJob } from "../merchants/index.ts";
import { OPEN_DISPUTE_JOB } from "../transactions/index.ts";
import { decideDispute, decideSandboxDispute } from "./decide-dispute.ts";
import { LAPSE_DISPUTE_JOB, openSandboxDispute } from "./open-dispute.ts";
import { findDispute } from "./queries.ts";
import { DECIDE_DISPUTE_JOB } from "./respond-to-dispute.ts";

export const disputeJobs: readonly JobSpec[] = [
  merchantJob({ kind: OPEN_DISPUTE_JOB, subject: "transaction", run: openSandboxDispute }),
  merchantJob({
    kind: LAPSE_DISPUTE_JOB,
    subject: "dispute",
    run: async (ctx, merchant, id) => {
      const dispute = await findDispute(ctx.db, merchant.id, id);
      if (dispute?.status !== "needs_response") return undefined;
      if (clockOf(ctx, merchant) < dispute.evidenceDueAt) {
        return { onMerchantsClock: dispute.evidenceDueAt, clock: MERCHANT_CLOCK };
      }
      await decideDispute(ctx, merchant, id, "lapse");
      return undefined;
    },
  }),
  merchantJob({
    kind: DECIDE_DISPUTE_JOB,
    subject: "dispute",
    run: async (ctx, merchant, id) => {
      await decideSandboxDispute(ctx, merchant, id);
      return undefined;
    },
  }),
];
