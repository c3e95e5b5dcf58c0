import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Transaction } from "../transactions/index.ts";

/**
 * Puts the card's number into the vault, when the payment stores it, before the acquirer is called: an approval that we
 * learn of only after a crash still makes the instrument that the merchant asked for. Nobody can charge it before that.
 */
export async function keepNumber(
  tx: Tx,
  ctx: Context,
  { merchantId, storesInstrumentId }: Transaction,
  number: string,
): Promise<void> {
  if (storesInstrumentId === null) return;
  await ctx.vault.keep(tx, { merchantId, instrumentId: storesInstrumentId, field: "card_number" }, number);
}

/** The payment was declined: nothing of the card stays. */
export async function forgetNumber(
  tx: Tx,
  ctx: Context,
  { merchantId, storesInstrumentId }: Transaction,
): Promise<void> {
  if (storesInstrumentId === null) return;
  await ctx.vault.erase(tx, { merchantId, instrumentId: storesInstrumentId });
}
