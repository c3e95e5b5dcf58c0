import { type JobSpec, subjectJob } from "../../platform/jobs/job.ts";
import {
  AUTOMATIC_PAYMENT_JOB,
  DELIVER_TRANSFER_JOB,
  deliverTransfer,
  MAKE_TRANSFER_JOB,
  makeTransfer,
  payAutomatically,
  type SimulatedTransfer,
} from "./deliver-simulated.ts";
import { RETURN_TRANSFER_JOB, returnTransfer } from "./return-transfer.ts";

export const incomingTransferJobs: readonly JobSpec[] = [
  subjectJob({
    kind: RETURN_TRANSFER_JOB,
    subject: "incomingTransfer",
    run: (ctx, _merchantId, id) => returnTransfer(ctx, id),
  }),
  {
    kind: MAKE_TRANSFER_JOB,
    run: async (ctx, { subjectId }) => {
      await makeTransfer(ctx, JSON.parse(subjectId) as SimulatedTransfer);
      return undefined;
    },
  },
  subjectJob({
    kind: DELIVER_TRANSFER_JOB,
    subject: "incomingTransfer",
    run: async (ctx, _merchantId, id) => {
      await deliverTransfer(ctx, id);
      return undefined;
    },
  }),
  subjectJob({
    kind: AUTOMATIC_PAYMENT_JOB,
    subject: "paymentRequest",
    run: async (ctx, _merchantId, id) => {
      await payAutomatically(ctx, id);
      return undefined;
    },
  }),
];
