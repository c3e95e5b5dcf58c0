import type { JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { expireAuthorisation } from "./operations/expire-authorisation.ts";
import { EXPIRE_AUTHORISATION_JOB } from "./operations/queries.ts";
import { OPERATION_JOB, resumeOperation } from "./operations/run-operation.ts";
import { ERASE_CARD_JOB, eraseReversedCard } from "./original-payment.ts";

export const transactionJobs: readonly JobSpec[] = [
  merchantJob({ kind: OPERATION_JOB, subject: "operation", run: resumeOperation }),
  merchantJob({ kind: EXPIRE_AUTHORISATION_JOB, subject: "transaction", run: expireAuthorisation }),
  merchantJob({ kind: ERASE_CARD_JOB, subject: "transaction", run: eraseReversedCard }),
];
