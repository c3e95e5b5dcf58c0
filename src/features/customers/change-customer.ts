import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { type Customer, type CustomerChange, changedCustomer } from "./customer.ts";
import { customerChange } from "./customer-change.ts";
import { type CustomerInstruments, type InstrumentReader, NO_INSTRUMENTS } from "./customer-instruments.ts";
import { customerPath } from "./present.ts";
import { lockCustomer, updateCustomer } from "./queries.ts";

export type ChangeCustomerInput = {
  readonly id: Id<"customer">;
  readonly change: CustomerChange;
  readonly reader: InstrumentReader;
};

/** Changes a customer. A change to the same values publishes no event. */
export async function changeCustomer(
  ctx: Context,
  caller: RequestCaller,
  { id, change, reader }: ChangeCustomerInput,
): Promise<{ readonly customer: Customer; readonly instruments: CustomerInstruments }> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: customerPath(id) });
    const before = (await lockCustomer(tx, caller.merchantId, id)) ?? refuse("resource_not_found");
    const instruments = (await reader.read(tx, caller.merchant, [id])).get(id) ?? NO_INSTRUMENTS;
    const customer = changedCustomer(before, change, clockOf(ctx, caller.merchant));
    if (customer !== before)
      await updateCustomer(tx, customer, customerChange(caller.mode, customer, instruments));
    return { customer, instruments };
  });
}
