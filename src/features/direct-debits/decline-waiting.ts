import { decline } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findTransaction } from "../transactions/index.ts";
import { changeState, countChange } from "./apply-state.ts";
import { deleteWaiting } from "./queries.ts";

export type WaitingProblem = "no_such_debit" | "not_pending" | "in_a_batch";

/**
 * Declines a debit that is in no batch, such as one that the bank's file can't hold. No bank has it, and no batch can
 * include it any more.
 */
export async function declineWaiting(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<WaitingProblem | undefined> {
  const changed = await ctx.db.transaction(async (tx) => {
    // A batch that is being made holds the row: this waits, and finds it gone.
    if (!(await deleteWaiting(tx, merchant.id, id))) return undefined;
    return changeState(ctx, tx, merchant, { id, outcome: decline("target_account_invalid") });
  });
  if (changed !== undefined) {
    countChange(ctx, merchant, changed);
    return undefined;
  }
  const found = await findTransaction(ctx.db, merchant.id, id);
  if (found?.source !== "direct_debit") return "no_such_debit";
  return found.status === "pending" ? "in_a_batch" : "not_pending";
}
