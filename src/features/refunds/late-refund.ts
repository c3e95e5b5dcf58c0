import type { Id } from "../../kernel/ids.ts";
import { approveLate, reverseLate } from "../../kernel/late-approval.ts";
import type { Cents } from "../../kernel/money.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Merchant } from "../merchants/index.ts";
import { publishRefund } from "./publish-refund.ts";
import { lockRefund, updateLateApproval } from "./queries.ts";
import type { Refund } from "./refund.ts";

/** Records once that the acquirer approved a refund which was already declined. The caller has it reversed. */
export async function approveRefundLate(
  ctx: Pick<Context, "now" | "settings">,
  tx: Tx,
  merchant: Merchant,
  { id, amount }: { readonly id: Id<"refund">; readonly amount: Cents },
): Promise<void> {
  const refund = await lockRefund(tx, merchant.id, id);
  await change(ctx, tx, merchant, refund && approveLate(refund, amount, clockOf(ctx, merchant)));
}

/** Records once that the acquirer confirmed the reversal of that approval. */
export async function reverseRefundLate(ctx: Context, merchant: Merchant, id: Id<"refund">): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const refund = await lockRefund(tx, merchant.id, id);
    await change(ctx, tx, merchant, refund && reverseLate(refund, clockOf(ctx, merchant)));
  });
}

async function change(
  { settings }: Pick<Context, "settings">,
  tx: Tx,
  { mode }: Merchant,
  refund: Refund | undefined,
): Promise<void> {
  if (refund === undefined) return;
  await updateLateApproval(tx, refund);
  await publishRefund(tx, mode, refund, settings);
}
