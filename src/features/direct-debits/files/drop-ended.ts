import type { Id } from "../../../kernel/ids.ts";
import { nextState } from "../../../kernel/lifecycle.ts";
import type { Context } from "../../../platform/context.ts";
import type { Merchant } from "../../merchants/index.ts";
import { batchLifecycle } from "../direct-debit.ts";
import { listUnsent, lockBatch, updateBatch } from "../queries.ts";

/**
 * A batch that the bank does not have and of which no debit is pending is empty. Changes nothing if the bank has it. Returns
 * whether it became empty.
 */
export async function dropEnded(
  ctx: Context,
  merchant: Merchant,
  batchId: Id<"debitBatch">,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchant.id, batchId);
    const status = batch && nextState(batchLifecycle, batch.status, "drop");
    if (batch === undefined || status === undefined) return false;
    if ((await listUnsent(tx, merchant.id, batchId)).length > 0) return false;
    await updateBatch(tx, { ...batch, status });
    return true;
  });
}
