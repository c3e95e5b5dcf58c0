import type { JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { SEND_RECEIPT_JOB } from "../transactions/index.ts";
import { sendReceipt } from "./send-receipt.ts";

export const receiptJobs: readonly JobSpec[] = [
  merchantJob({ kind: SEND_RECEIPT_JOB, subject: "transaction", run: sendReceipt }),
];
