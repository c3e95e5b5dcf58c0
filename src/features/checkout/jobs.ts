import { HOUR } from "../../kernel/time.ts";
import { type Chore, type JobSpec, subjectJob } from "../../platform/jobs/job.ts";
import { merchantJob } from "../merchants/index.ts";
import { REVERSE_AGAIN_JOB } from "../transactions/index.ts";
import {
  RECOVER_AUTHENTICATION_JOB,
  RECOVER_CHALLENGE_JOB,
  RECOVER_JOB,
  RECOVER_METHOD_JOB,
} from "./attempt-deadlines.ts";
import { deleteTokenUses } from "./queries.ts";
import { recoverAttempt, reverseAgain } from "./recover-attempt.ts";

export const checkoutJobs: readonly JobSpec[] = [
  subjectJob({
    kind: RECOVER_JOB,
    subject: "transaction",
    run: (ctx, merchantId, id) => recoverAttempt(ctx, merchantId, id),
  }),
  subjectJob({
    kind: RECOVER_AUTHENTICATION_JOB,
    subject: "transaction",
    run: (ctx, merchantId, id) => recoverAttempt(ctx, merchantId, id, "authenticating"),
  }),
  subjectJob({
    kind: RECOVER_METHOD_JOB,
    subject: "transaction",
    run: (ctx, merchantId, id) => recoverAttempt(ctx, merchantId, id, "profiling"),
  }),
  subjectJob({
    kind: RECOVER_CHALLENGE_JOB,
    subject: "transaction",
    run: (ctx, merchantId, id) => recoverAttempt(ctx, merchantId, id, "challenged"),
  }),
  merchantJob({ kind: REVERSE_AGAIN_JOB, subject: "transaction", run: reverseAgain }),
];

const TOKEN_USES_AT_ONCE = 10_000;

export const checkoutChores: readonly Chore[] = [
  {
    name: "delete used wallet tokens that have expired",
    everyMs: HOUR,
    run: async (ctx) => {
      const deleted = await deleteTokenUses(ctx.db, ctx.now(), TOKEN_USES_AT_ONCE);
      return deleted < TOKEN_USES_AT_ONCE ? "done" : "more";
    },
  },
];
