import type { JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { COLLECT_DEBIT_JOB, collectDebit } from "./collect-debits.ts";
import { READ_DECLINED_JOB, readDeclined } from "./end-deleted.ts";
import { FOLLOW_DEBIT_JOB, followDebit } from "./follow-debit.ts";
import { SUBMIT_BATCH_JOB } from "./make-batch.ts";
import { submitBatch } from "./submit-batch.ts";

export const directDebitJobs: readonly JobSpec[] = [
  merchantJob({ kind: COLLECT_DEBIT_JOB, subject: "transaction", run: collectDebit }),
  merchantJob({ kind: SUBMIT_BATCH_JOB, subject: "debitBatch", run: submitBatch }),
  merchantJob({ kind: FOLLOW_DEBIT_JOB, subject: "transaction", run: followDebit }),
  merchantJob({ kind: READ_DECLINED_JOB, subject: "transaction", run: readDeclined }),
];
