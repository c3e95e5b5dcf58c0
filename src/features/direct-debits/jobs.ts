import type { JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { FOLLOW_DEBIT_JOB, followDebit } from "./follow-debit.ts";

export const directDebitJobs: readonly JobSpec[] = [
  merchantJob({ kind: FOLLOW_DEBIT_JOB, subject: "transaction", run: followDebit }),
];
