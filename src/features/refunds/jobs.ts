import type { JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { REVERSE_REFUND_JOB } from "../transactions/index.ts";
import { findRefund } from "./queries.ts";
import { reverseRefundAgain, SETTLE_REFUND_JOB, settleRefund } from "./settle-refund.ts";

export const refundJobs: readonly JobSpec[] = [
  merchantJob({
    kind: SETTLE_REFUND_JOB,
    subject: "refund",
    run: async (ctx, merchant, id) => {
      const refund = await findRefund(ctx.db, merchant.id, id);
      return refund?.status === "pending" ? settleRefund(ctx, merchant, refund) : undefined;
    },
  }),
  merchantJob({ kind: REVERSE_REFUND_JOB, subject: "refund", run: reverseRefundAgain }),
];
