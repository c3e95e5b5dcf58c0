import { BankFileProblem } from "../../../connectors/ports/debit-files.ts";
import { newId } from "../../../kernel/ids.ts";
import { cents, sum } from "../../../kernel/money.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Merchant } from "../../merchants/index.ts";
import type { Batch, DebitToSend } from "../direct-debit.ts";
import { insertBatch, lockBatch } from "../queries.ts";
import { moveDebits, resizeBatch } from "./queries.ts";

export const CHANGED = "the batch changed meanwhile: run the command again";

/**
 * Moves debits whose account number is unreadable to a batch of their own, which gets its file once the number is readable
 * again: the others don't wait for them. Only of a batch without a file: no bank can have them. Returns what is left.
 */
export async function setAside(
  ctx: Context,
  merchant: Merchant,
  before: Batch,
  debits: readonly DebitToSend[],
): Promise<Batch> {
  return ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchant.id, before.id);
    if (batch?.status !== "made" || batch.debits !== before.debits) throw new BankFileProblem(CHANGED);
    const now = clockOf(ctx, merchant);
    const total = sum(debits.map(({ amount }) => amount));
    const own: Batch = {
      ...batch,
      id: newId("debitBatch", now),
      debits: debits.length,
      total,
      createdAt: now,
    };
    await insertBatch(tx, own, []);
    const ids = debits.map(({ transactionId }) => transactionId);
    await moveDebits(tx, own, ids);
    const left: Batch = {
      ...batch,
      debits: batch.debits - own.debits,
      total: cents(batch.total - total),
    };
    await resizeBatch(tx, left);
    return left;
  });
}
