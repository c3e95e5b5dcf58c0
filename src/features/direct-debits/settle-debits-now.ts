import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findTransaction } from "../transactions/index.ts";
import { applyState } from "./apply-state.ts";
import { listOpen } from "./queries.ts";
import { submitBatch, submitWaiting } from "./submit-debits.ts";

const AT_ONCE = 200;

async function statusOf(ctx: Context, merchant: Merchant, id: Id<"transaction">) {
  return (await findTransaction(ctx.db, merchant.id, id))?.status;
}

/**
 * Sandbox only: advances the merchant's debits at once. A pending debit settles; one that will be returned is returned by
 * the next call. Returns how many changed.
 */
export async function settleDebitsNow(ctx: Context, merchant: Merchant): Promise<number> {
  const debitBank = ctx.connectors.findDebitBank(merchant);
  if (debitBank === undefined || merchant.mode !== "sandbox") refuse("checkout_acquirer_missing");
  await submitWaiting(ctx, merchant, debitBank);
  let changed = 0;
  for (let after = ""; ; ) {
    const debits = await listOpen(ctx.db, merchant.id, after, AT_ONCE);
    for (const { transactionId: id, submittedAt, batchId } of debits) {
      if (submittedAt === null) await submitBatch(ctx, merchant, debitBank, batchId);
      const now = clockOf(ctx, merchant);
      const before = await statusOf(ctx, merchant, id);
      await ctx.sandbox.advanceDebit(id, now);
      const [state] = await debitBank.read([id], now);
      if (state === undefined || state.kind === "processing" || state.kind === "never_seen") continue;
      await applyState(ctx, merchant, id, state);
      // The job that follows this debit may have settled it first; that counts too.
      if ((await statusOf(ctx, merchant, id)) !== before) changed += 1;
    }
    const last = debits.at(-1);
    if (last === undefined || debits.length < AT_ONCE) return changed;
    after = last.transactionId;
  }
}
