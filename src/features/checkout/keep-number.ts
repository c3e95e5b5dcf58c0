import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Transaction } from "../transactions/index.ts";

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
