import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { instrumentChange } from "./instrument-change.ts";
import { type InstrumentIds, placeOf } from "./instrument-ids.ts";
import { deletedInstrument } from "./payment-instrument.ts";
import { lockInstrument, markDeleted } from "./queries.ts";

/** Deletes an instrument permanently: the same transaction erases its number from the vault. */
export async function deleteInstrument(
  ctx: Context,
  caller: RequestCaller,
  { customerId, paymentInstrumentId: id }: InstrumentIds,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: null });
    const before =
      (await lockInstrument(tx, caller.merchantId, customerId, id)) ?? refuse("resource_not_found");
    const deleted = deletedInstrument(before, clockOf(ctx, caller.merchant));
    await markDeleted(tx, deleted, instrumentChange(caller.mode, deleted));
    await ctx.vault.erase(tx, placeOf(deleted));
  });
}
