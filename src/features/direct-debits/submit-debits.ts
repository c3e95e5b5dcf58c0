import type { DebitRequest, DirectDebitBank } from "../../connectors/ports/direct-debit-bank.ts";
import { decline } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { CURRENCIES, cents, MAX_CENTS } from "../../kernel/money.ts";
import { later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { withDeadline } from "../transactions/index.ts";
import { applyState } from "./apply-state.ts";
import type { DebitOrder } from "./direct-debit.ts";
import { makeBatch } from "./make-batch.ts";
import { listUnsent, markSubmitted } from "./queries.ts";

const LIMIT = { debits: 200, total: cents(1_000 * MAX_CENTS) };

/** Submits all waiting debits, in batches. */
export async function submitWaiting(ctx: Context, merchant: Merchant, bank: DirectDebitBank): Promise<void> {
  for (const currency of CURRENCIES) {
    for (;;) {
      const before = later(clockOf(ctx, merchant), 1);
      const made = await makeBatch(ctx, merchant, { rail: "connector", currency, before, limit: LIMIT });
      if (made === undefined) break;
      await submitBatch(ctx, merchant, bank, made.batch.id);
    }
  }
}

/**
 * Submits the debits of a batch that are not with the bank yet. Repeating it after a broken connection is safe: the bank
 * identifies each debit by the transaction's id.
 */
export async function submitBatch(
  ctx: Context,
  merchant: Merchant,
  bank: DirectDebitBank,
  batchId: Id<"debitBatch">,
): Promise<void> {
  const debits: DebitRequest[] = [];
  for (const order of await listUnsent(ctx.db, merchant.id, batchId)) {
    const input = await withNumber(ctx, merchant, order);
    if (input !== undefined) debits.push(input);
  }
  if (debits.length === 0) return;
  const accepted = await withDeadline(
    ctx,
    () => bank.submit({ reference: batchId, debits }).then(() => true),
    false,
  );
  if (!accepted) return;
  const ids = debits.map(({ reference }) => reference);
  await markSubmitted(ctx.db, merchant.id, ids, clockOf(ctx, merchant));
}

/** The order with its account number. A debit whose account was deleted since is declined. */
async function withNumber(
  ctx: Context,
  merchant: Merchant,
  order: DebitOrder,
): Promise<DebitRequest | undefined> {
  const { transactionId, amount, currency, requestedAt } = order;
  const place = {
    merchantId: merchant.id,
    instrumentId: order.paymentInstrumentId,
    field: "account_number",
  } as const;
  const use = { purpose: "debit", subjectId: transactionId } as const;
  try {
    const input = await ctx.vault.use(ctx.db, place, use, async (number) => ({
      reference: transactionId,
      amount,
      currency,
      requestedAt,
      account: { ...order.bankAccount, number },
    }));
    if (input === undefined) {
      await applyState(ctx, merchant, transactionId, decline("target_account_invalid"));
    }
    return input;
  } catch (error) {
    // An unreadable number must not delay the other debits.
    ctx.log.error(
      { merchantId: merchant.id, subjectId: transactionId, error },
      "direct debit not submitted: account number unreadable",
    );
    return undefined;
  }
}
