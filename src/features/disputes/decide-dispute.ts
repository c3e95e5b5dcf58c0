import type { Id } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { lockTransaction, releaseDispute, updateTransaction } from "../transactions/index.ts";
import { change, type Dispute, needsResponse } from "./dispute.ts";
import { publishDispute } from "./publish-dispute.ts";
import { findDispute, lockDispute, updateDispute } from "./queries.ts";

/**
 * Records the decision of the payer's bank, that the merchant has not responded in time, or that evidence was sent at the
 * acquirer. A dispute that is won releases its money. One that is decided already stays as it is.
 */
export async function decideDispute(
  ctx: Context,
  merchant: Merchant,
  id: Id<"dispute">,
  trigger: "win" | "lose" | "lapse" | "defend",
): Promise<Dispute | undefined> {
  const found = await findDispute(ctx.db, merchant.id, id);
  if (found === undefined) return undefined;
  return ctx.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, found.transactionId);
    const dispute = await lockDispute(tx, merchant.id, id);
    const now = clockOf(ctx, merchant);
    // The deadline may have moved since it was read.
    if (trigger === "lapse" && dispute !== undefined && needsResponse(dispute, now)) return undefined;
    const changed = dispute && change(dispute, trigger, now);
    if (changed === undefined || transaction === undefined) return undefined;
    const decided = trigger === "defend" ? { ...changed, evidenceAt: changed.updatedAt } : changed;
    if (decided.status === "won") await updateTransaction(tx, releaseDispute(transaction, decided.amount));
    await updateDispute(tx, decided);
    await publishDispute(ctx, tx, merchant.mode, decided);
    return decided;
  });
}

/** In the sandbox: the evidence decides. */
export async function decideSandboxDispute(
  ctx: Context,
  merchant: Merchant,
  id: Id<"dispute">,
): Promise<void> {
  const dispute = await findDispute(ctx.db, merchant.id, id);
  if (dispute?.status !== "under_review" || dispute.evidence === null) return;
  await decideDispute(ctx, merchant, id, ctx.sandbox.disputes.judge(dispute.evidence));
}
