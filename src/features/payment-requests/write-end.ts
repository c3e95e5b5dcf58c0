import type { Mode } from "../../kernel/mode.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { updatePaymentRequest } from "./queries.ts";
import { requestChange } from "./request-change.ts";

export const RELEASE_PAYID_JOB = "payid_release";

/** Writes a request that has ended, with its event, and the job that releases its PayID. */
export async function writeEnd(ctx: Context, tx: Tx, mode: Mode, ended: PaymentRequest): Promise<void> {
  await updatePaymentRequest(tx, ended, requestChange(ctx, mode, ended));
  if (ended.payIdValue === null) return;
  const { merchantId, id: subjectId } = ended;
  await insertJob(tx, { kind: RELEASE_PAYID_JOB, merchantId, subjectId, realTime: true }, ctx.now());
}
