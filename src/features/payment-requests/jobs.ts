import type { JobSpec } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { expirePaymentRequest } from "./expire-payment-request.ts";
import { EXPIRE_JOB } from "./queries.ts";
import { REGISTER_PAYID_JOB, releasePayId, retryRegistration } from "./register-payid.ts";
import { RELEASE_PAYID_JOB } from "./write-end.ts";

export const paymentRequestJobs: readonly JobSpec[] = [
  merchantJob({ kind: EXPIRE_JOB, subject: "paymentRequest", run: expirePaymentRequest }),
  merchantJob({ kind: REGISTER_PAYID_JOB, subject: "paymentRequest", run: retryRegistration }),
  merchantJob({ kind: RELEASE_PAYID_JOB, subject: "paymentRequest", run: releasePayId }),
];
