import type { DirectDebitBank } from "../../connectors/ports/direct-debit-bank.ts";
import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findTransaction } from "../transactions/index.ts";
import { applyState } from "./apply-state.ts";
import { collectWaiting } from "./collect-debits.ts";
import { readDebit } from "./follow-debit.ts";
import { listOpen } from "./queries.ts";
import { handOver } from "./submit-batch.ts";

const AT_ONCE = 200;
/** How long a call waits for a hand-over that a job has begun, and how often it checks. */
const PATIENCE_MS = 5_000;
const CHECK_MS = 20;

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
  await collectWaiting(ctx, merchant);
  const handedOver = new Set<string>();
  let changed = 0;
  for (let after = ""; ; ) {
    const debits = await listOpen(ctx.db, merchant.id, after, AT_ONCE);
    for (const { transactionId: id, submittedAt, batchId } of debits) {
      if (submittedAt === null && !handedOver.has(batchId)) {
        await handOverOrWait(ctx, merchant, debitBank, batchId);
        handedOver.add(batchId);
      }
      const now = clockOf(ctx, merchant);
      const before = await statusOf(ctx, merchant, id);
      await ctx.sandbox.advanceDebit(id, now);
      const state = await readDebit(ctx, debitBank, id, now);
      if (state === undefined || state.kind === "processing" || state.kind === "never_seen") continue;
      await applyState(ctx, merchant, id, { ...state, asOf: now });
      // The job that follows this debit may have settled it first; that counts too.
      if ((await statusOf(ctx, merchant, id)) !== before) changed += 1;
    }
    const last = debits.at(-1);
    if (last === undefined || debits.length < AT_ONCE) return changed;
    after = last.transactionId;
  }
}

/** Hands the batch over, or waits for the job that is doing so. */
async function handOverOrWait(
  ctx: Context,
  merchant: Merchant,
  bank: DirectDebitBank,
  batchId: Id<"debitBatch">,
): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += CHECK_MS) {
    if (typeof (await handOver(ctx, merchant, bank, batchId)) !== "number") return;
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
}
