import type { Id } from "../../../kernel/ids.ts";
import type { Context } from "../../../platform/context.ts";
import type { SecretPlace } from "../../../platform/vault/queries.ts";
import type { Merchant } from "../../merchants/index.ts";
import { bankReferenceOf, type DebitToSend } from "../direct-debit.ts";
import { listUnsent } from "../queries.ts";

type MissingDebit = { readonly transactionId: Id<"transaction">; readonly reference: string };

/**
 * The pending debits of a batch whose account was deleted. A file that was written before the deletion has them, and one
 * that was written after it does not.
 */
export async function listMissing(
  ctx: Context,
  merchant: Merchant,
  batchId: Id<"debitBatch">,
): Promise<readonly MissingDebit[]> {
  const missing: MissingDebit[] = [];
  for (const debit of await listUnsent(ctx.db, merchant.id, batchId)) {
    const { transactionId } = debit;
    if (await ctx.vault.keeps(ctx.db, numberPlace(merchant, debit))) continue;
    missing.push({ transactionId, reference: bankReferenceOf(transactionId) });
  }
  return missing;
}

/** Where the vault keeps the account number of a debit. */
export function numberPlace(
  { id }: Merchant,
  { paymentInstrumentId }: Pick<DebitToSend, "paymentInstrumentId">,
): SecretPlace {
  return { merchantId: id, instrumentId: paymentInstrumentId, field: "account_number" };
}
