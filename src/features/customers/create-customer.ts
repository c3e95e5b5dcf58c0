import { newId } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { type Customer, type CustomerFacts, newCustomer } from "./customer.ts";
import { customerChange } from "./customer-change.ts";
import { NO_INSTRUMENTS } from "./customer-instruments.ts";
import { customerPath } from "./present.ts";
import { insertCustomer } from "./queries.ts";

export async function createCustomer(
  ctx: Context,
  caller: RequestCaller,
  facts: CustomerFacts,
): Promise<Customer> {
  const now = clockOf(ctx, caller.merchant);
  const customer = newCustomer(caller.merchantId, newId("customer", now), facts, now);
  await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: customer.id, path: customerPath(customer.id) });
    await insertCustomer(tx, customer, customerChange(caller.mode, customer, NO_INSTRUMENTS));
  });
  return customer;
}
