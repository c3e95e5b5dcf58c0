import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { keepTransactionCard, type Transaction, wantsNumber } from "../transactions/index.ts";

/**
 * Stores the card's number in the vault before the acquirer is called, if the payment stores the card: an approval that is
 * learned only after a crash still creates the instrument. Until then the number cannot be charged.
 */
export async function keepNumber(
  ctx: Context,
  tx: Tx,
  { merchantId, storesInstrumentId }: Transaction,
  number: string,
): Promise<void> {
  if (storesInstrumentId === null) return;
  await ctx.vault.keep(tx, { merchantId, instrumentId: storesInstrumentId, field: "card_number" }, number);
}

/** Erases the number of a declined payment. */
export async function eraseNumber(
  ctx: Context,
  tx: Tx,
  { merchantId, storesInstrumentId }: Transaction,
): Promise<void> {
  if (storesInstrumentId === null) return;
  await ctx.vault.erase(tx, { merchantId, instrumentId: storesInstrumentId });
}

/** Keeps the number for messages that may follow, if an acquirer that may get the payment wants it in every one. */
export async function keepForAcquirer(
  ctx: Context,
  tx: Tx,
  transaction: Transaction,
  { acquirers, number }: { readonly acquirers: readonly Acquirer[]; readonly number: string },
): Promise<void> {
  if (wantsNumber(acquirers)) await keepTransactionCard(ctx, tx, transaction, number);
}
