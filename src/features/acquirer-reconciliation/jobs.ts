import type { Id } from "../../kernel/ids.ts";
import type { JobSpec } from "../../platform/jobs/job.ts";
import { findMerchant } from "../merchants/index.ts";
import { REVERSE_LATE_JOB, reverseLateApproval } from "./reverse-late-approval.ts";

export const acquirerReconciliationJobs: readonly JobSpec[] = [
  {
    kind: REVERSE_LATE_JOB,
    run: async (ctx, { merchantId, subjectId }) => {
      const merchant = await findMerchant(ctx.db, merchantId as Id<"merchant">);
      return merchant && reverseLateApproval(ctx, merchant, subjectId);
    },
  },
];
