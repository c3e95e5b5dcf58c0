import type { Mode } from "../../kernel/mode.ts";
import type { Change } from "../../platform/outbox/publish.ts";
import type { Customer } from "./customer.ts";
import type { CustomerInstruments } from "./customer-instruments.ts";
import { presentCustomer } from "./present.ts";

/** The event of a customer's latest change. A new instrument is in the payload but is not a change of the customer. */
export function customerChange(mode: Mode, customer: Customer, instruments: CustomerInstruments): Change {
  return {
    merchantId: customer.merchantId,
    event: "customers",
    resourceId: customer.id,
    reference: customer.reference,
    at: customer.updatedAt,
    payload: presentCustomer(customer, instruments, mode),
  };
}
