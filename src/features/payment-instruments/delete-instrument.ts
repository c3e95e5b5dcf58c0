import { refuse } from "../../kernel/refusal.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { clockOf, type World } from "../../platform/world.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { instrumentChange } from "./instrument-change.ts";
import { type InstrumentIds, placeOf } from "./instrument-ids.ts";
import { deletedInstrument } from "./payment-instrument.ts";
import { lockInstrument, markDeleted } from "./queries.ts";

/** Deletes an instrument for good: its number leaves the vault in the same transaction, and nobody finds it again. */
export async function deleteInstrument(
  world: World,
  caller: RequestCaller,
  { customerId, id }: InstrumentIds,
): Promise<void> {
  await world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: null });
    const before =
      (await lockInstrument(tx, caller.merchantId, customerId, id)) ?? refuse("resource_not_found");
    const deleted = deletedInstrument(before, clockOf(world, caller.merchant));
    await markDeleted(tx, deleted, instrumentChange(caller.mode, deleted));
    await world.vault.erase(tx, placeOf(deleted));
  });
}
