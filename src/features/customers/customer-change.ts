import type { Change } from "../../platform/outbox/publish.ts";
import type { Mode } from "../merchants/index.ts";
import type { Customer } from "./customer.ts";
import type { Held } from "./holdings.ts";
import { presentCustomer } from "./present.ts";

/** The event of a customer's latest change. What it holds stands in the payload, and is no change of its own. */
export function customerChange(mode: Mode, customer: Customer, held: Held): Change {
  return {
    merchantId: customer.merchantId,
    event: "customers",
    resourceId: customer.id,
    reference: customer.reference,
    at: customer.updatedAt,
    payload: presentCustomer(customer, held, mode),
  };
}
