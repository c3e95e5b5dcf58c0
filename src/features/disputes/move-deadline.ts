import type { Id } from "../../kernel/ids.ts";
import { changeTime, type Instant, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { hasJobAt, insertJob } from "../../platform/jobs/queries.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Dispute } from "./dispute.ts";
import { LAPSE_DISPUTE_JOB } from "./open-dispute.ts";
import { publishDispute } from "./publish-dispute.ts";
import { lockDispute, updateDispute } from "./queries.ts";

/**
 * Records another deadline of the acquirer, in real time, while the dispute needs a response. Notices carry no time of their
 * own, and each may be repeated: the last deadline that was not reported before counts.
 */
export async function moveDeadline(
  ctx: Context,
  merchant: Merchant,
  id: Id<"dispute">,
  respondBy: Instant,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const dispute = await lockDispute(tx, merchant.id, id);
    const evidenceDueAt = later(respondBy, merchant.clockOffset);
    if (dispute?.status !== "needs_response" || dispute.evidenceDueAt === evidenceDueAt) return;
    const job = { kind: LAPSE_DISPUTE_JOB, merchantId: merchant.id, subjectId: id };
    // Each deadline has a job of its own.
    if (await hasJobAt(tx, job, respondBy)) return;
    const updatedAt = changeTime(clockOf(ctx, merchant), dispute.updatedAt);
    const moved: Dispute = { ...dispute, evidenceDueAt, updatedAt };
    await updateDispute(tx, moved);
    await publishDispute(ctx, tx, merchant.mode, moved);
    // The earlier job may be about to end, or come too late.
    await insertJob(tx, job, respondBy);
  });
}
