import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import { instrumentChange } from "./instrument-change.ts";
import { type InstrumentIds, placeOf } from "./instrument-ids.ts";
import { deletedInstrument } from "./payment-instrument.ts";
import { lockInstrument, markDeleted } from "./queries.ts";

/** Deletes an instrument permanently. */
export async function deleteInstrument(
  ctx: Context,
  caller: RequestCaller,
  ids: InstrumentIds,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: ids.paymentInstrumentId, path: null });
    if (!(await eraseInstrument(ctx, tx, caller.merchant, ids))) refuse("resource_not_found");
  });
}

/** Deletes the instrument, and its number from the vault, in one transaction. False if it is gone already. */
export async function eraseInstrument(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { customerId, paymentInstrumentId }: InstrumentIds,
): Promise<boolean> {
  const before = await lockInstrument(tx, merchant.id, customerId, paymentInstrumentId);
  if (before === undefined) return false;
  const deleted = deletedInstrument(before, clockOf(ctx, merchant));
  await markDeleted(tx, deleted, instrumentChange(merchant.mode, deleted));
  await ctx.vault.erase(tx, placeOf(deleted));
  return true;
}
