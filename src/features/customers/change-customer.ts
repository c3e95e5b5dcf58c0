import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { type Customer, type CustomerChange, changedCustomer } from "./customer.ts";
import { customerChange } from "./customer-change.ts";
import { type Held, type Holdings, NOTHING_HELD } from "./holdings.ts";
import { customerPath } from "./present.ts";
import { lockCustomer, updateCustomer } from "./queries.ts";

/** Changes a customer. Values that it has already change nothing, so nobody is told of them. */
export async function changeCustomer(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"customer">,
  change: CustomerChange,
  holdings: Holdings,
): Promise<{ readonly customer: Customer; readonly held: Held }> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: customerPath(id) });
    const before = (await lockCustomer(tx, caller.merchantId, id)) ?? refuse("resource_not_found");
    const held = (await holdings.read(tx, caller.merchant, [id])).get(id) ?? NOTHING_HELD;
    const customer = changedCustomer(before, change, clockOf(ctx, caller.merchant));
    if (customer !== before) await updateCustomer(tx, customer, customerChange(caller.mode, customer, held));
    return { customer, held };
  });
}
